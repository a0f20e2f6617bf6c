package dev.fingertip.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import android.app.Notification;
import android.app.Service;
import android.content.Intent;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a phone keeps of an app: where its files are, what its user has granted, which parts of it run. */
public final class AppPhone {
    /** The app's own folder, and the one its libraries are in. */
    public static File home;
    public static File libraries;
    /** Where the sources of its resources are. */
    public static File resources;
    public static final Set<String> GRANTED = ConcurrentHashMap.newKeySet();
    public static volatile boolean savesBattery = true;
    /** The least time between two pictures: 333 ms, on Android 11 a second. */
    public static volatile long pictureEveryMs = 333;
    /** Whether a window on the screen withholds its pixels. */
    public static volatile boolean secure;
    /** Pages that were opened, notifications that are shown. */
    public static final List<Intent> OPENED = new CopyOnWriteArrayList<>();
    public static volatile Notification shown;
    public static volatile Service running;
    private static final ScheduledExecutorService MAIN = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "main");
        thread.setDaemon(true);
        return thread;
    });

    private AppPhone() {}

    /** Runs it on the main thread and waits. */
    public static <T> T onMain(Callable<T> work) throws Exception {
        return MAIN.submit(work).get(20, TimeUnit.SECONDS);
    }

    public static ScheduledExecutorService main() {
        return MAIN;
    }

    /** The text of a resource, by the number of the generated class. */
    public static String text(int id) {
        try {
            for (Field field : Class.forName("dev.fingertip.app.R$string").getDeclaredFields()) {
                field.setAccessible(true);
                if (field.getInt(null) == id) {
                    return texts().get(field.getName());
                }
            }
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
        throw new IllegalStateException("no text has the number " + id);
    }

    private static Map<String, String> texts() {
        try {
            String xml = new String(Files.readAllBytes(new File(resources, "values/strings.xml").toPath()), UTF_8);
            Map<String, String> texts = new HashMap<>();
            Matcher entry = Pattern.compile("<string name=\"(\\w+)\">(.*?)</string>").matcher(xml);
            while (entry.find()) {
                texts.put(entry.group(1), entry.group(2).replaceAll("\\\\(.)", "$1"));
            }
            return texts;
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
