package dev.fingertip.agent.screen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What only {@code dumpsys window} reports: activities, and the secure flag.
 *
 * <p>The lines of Android 7 to 16 are understood; what is not there is {@code null}, never a guess.
 */
public final class WindowDump {
    /** {@code Window{5c4591 u0 NAME}}; the name may have words in it. */
    private static final Pattern WINDOW = Pattern.compile("Window\\{\\S+ (?:u\\d+ )?([^}]*?)(?: EXITING)?\\}");
    private static final Pattern COMPONENT = Pattern.compile("([\\w.]+)/([\\w.$]+)");
    /** Flags stand as words after {@code fl=}, up to the next attribute or the end of the line. */
    private static final Pattern SECURE = Pattern.compile("\\bfl=[A-Z0-9_ |]*\\bSECURE\\b");

    /** Old releases print the flags as one number. */
    private static final Pattern FLAGS = Pattern.compile("\\bfl=#([0-9a-f]{1,8})\\b");
    private static final long SECURE_FLAG = 0x2000;

    private final String[] lines;

    WindowDump(String text) {
        lines = text.split("\r?\n");
    }

    /** Of all displays; empty where that may not be asked. */
    public static WindowDump displays(Ui ui) throws IOException {
        String text = ui.dumpWindows("displays");
        return new WindowDump(text == null ? "" : text);
    }

    /** Of all windows; {@code null} where that may not be asked. */
    public static WindowDump windows(Ui ui) throws IOException {
        String text = ui.dumpWindows("windows");
        return text == null ? null : new WindowDump(text);
    }

    /** The name of the focused window. */
    public String focusedWindow() {
        for (String line : lines) {
            Matcher window = WINDOW.matcher(line);
            if (line.trim().startsWith("mCurrentFocus=") && window.find()) {
                return window.group(1);
            }
        }
        return null;
    }

    /** The class of the activity in front: that of the focused window, else of the focused app. */
    public String focusedActivity() {
        Matcher component = focusedComponent();
        if (component == null) {
            return null;
        }
        String activity = component.group(2);
        return activity.startsWith(".") ? component.group(1) + activity : activity;
    }

    public String focusedPackage() {
        Matcher component = focusedComponent();
        return component == null ? null : component.group(1);
    }

    /** The names of windows on the screen whose pixels are withheld. */
    public List<String> secureWindows() {
        List<String> names = new ArrayList<>();
        String name = null;
        boolean secure = false;
        for (String line : lines) {
            Matcher window = WINDOW.matcher(line);
            if (line.trim().startsWith("Window #") && window.find()) {
                name = window.group(1);
                secure = false;
            } else if (isSecure(line)) {
                secure = true;
            } else if (secure && isShown(line) && !names.contains(name)) {
                names.add(name);
            }
        }
        return names;
    }

    private static boolean isSecure(String line) {
        Matcher flags = FLAGS.matcher(line);
        boolean asNumber = flags.find() && (Long.parseLong(flags.group(1), 16) & SECURE_FLAG) != 0;
        return asNumber || SECURE.matcher(line).find();
    }

    private static boolean isShown(String line) {
        return line.contains("isOnScreen=true") || line.contains("mHasSurface=true");
    }

    /** The package in the name of a window; {@code null} for windows of no activity. */
    public static String packageOf(String name) {
        Matcher component = COMPONENT.matcher(name);
        return component.find() ? component.group(1) : null;
    }

    private Matcher focusedComponent() {
        for (String start : new String[] {"mCurrentFocus=", "mFocusedApp="}) {
            for (String line : lines) {
                Matcher component = COMPONENT.matcher(line);
                if (line.trim().startsWith(start) && component.find()) {
                    return component;
                }
            }
        }
        return null;
    }
}
