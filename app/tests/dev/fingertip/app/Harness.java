package dev.fingertip.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import android.content.Context;
import android.content.Intent;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.Switch;
import android.widget.TextView;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.fakes.AppPhone;
import dev.fingertip.fakes.Bridge;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The app on a JVM, as its user and the system would use it, driven by lines: a word, and what it is about. Each is
 * answered by a line of JSON. Where it listens is its only line of output.
 */
public final class Harness {
    private static final Context PHONE = new Context();
    private static ScreenService service;
    private static SettingsActivity settings;

    private Harness() {}

    public static void run() throws Exception {
        AppPhone.home = new File(System.getenv("APP_HOME"));
        AppPhone.libraries = new File(System.getenv("APP_LIBRARIES"));
        AppPhone.resources = new File(System.getenv("APP_RESOURCES"));
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println("127.0.0.1:" + listening.getLocalPort());
            try (Socket socket = listening.accept()) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
                OutputStream out = socket.getOutputStream();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] words = line.split(" ", 2);
                    Object answer = AppPhone.onMain(() -> obey(words[0], words.length > 1 ? words[1] : ""));
                    out.write(new JsonWriter().any(answer).bytes());
                    out.write('\n');
                    out.flush();
                }
            }
        }
        System.exit(0);
    }

    private static Object obey(String word, String about) throws Exception {
        Fingertip fingertip = Fingertip.of(PHONE);
        switch (word) {
            case "service":
                return switchService(about.equals("on"));
            case "open":
                settings = new SettingsActivity();
                settings.onCreate(null);
                settings.onResume();
                return texts();
            case "close":
                settings.onPause();
                return true;
            case "texts":
                settings.onPause();
                settings.onResume();
                return texts();
            case "press":
                return find(Button.class, about).performClick();
            case "switch":
                Switch toggle = find(Switch.class, about);
                toggle.setChecked(!toggle.isChecked());
                return toggle.isChecked();
            case "type":
                String[] labelAndText = about.split("=", 2);
                fieldAfter(labelAndText[0]).setText(labelAndText[1]);
                return true;
            case "error":
                CharSequence error = fieldAfter(about).getError();
                return error == null ? null : error.toString();
            case "code":
                return codePixels();
            case "opened":
                return AppPhone.OPENED.isEmpty() ? null : AppPhone.OPENED.get(AppPhone.OPENED.size() - 1).getAction();
            case "notification":
                return AppPhone.shown == null ? null : AppPhone.shown.text.toString();
            case "stop-notification":
                AppPhone.shown.action.actionIntent.send();
                return true;
            case "boot":
                new BootReceiver().onReceive(PHONE, new Intent(Intent.ACTION_BOOT_COMPLETED));
                return true;
            case "computer":
                ComputerReceiver receiver = new ComputerReceiver();
                Intent order = new Intent("dev.fingertip.app." + about.split(" ")[0]);
                receiver.onReceive(PHONE, about.endsWith(" network") ? order.putExtra("network", true) : order);
                return receiver.answer;
            case "secure":
                AppPhone.secure = about.equals("on");
                return true;
            case "picture-every":
                AppPhone.pictureEveryMs = Long.parseLong(about);
                return true;
            case "clipboard":
                return Bridge.call("clipboard_get");
            case "fingers":
                return service.fingersDown();
            case "too-soon":
                return service.refusedPictures;
            case "token":
                return fingertip.preferences.token();
            case "status":
                return fingertip.server.status();
            case "state":
                return Words.state(fingertip);
            case "report":
                return fingertip.server.report();
            case "loop":
                return loop(about);
            default:
                throw new IllegalArgumentException(word);
        }
    }

    private static Object switchService(boolean on) {
        if (on) {
            service = new ScreenService();
            service.bind();
        } else {
            service.unbind();
        }
        return on;
    }

    /** A server that ends whenever it is started: how often it was, and what its user is shown. */
    private static Object loop(String program) throws Exception {
        File home = new File(AppPhone.home, "dying-home");
        Files.createDirectories(home.toPath());
        Server server = new Server(
            new File(program), home, new Preferences(PHONE), new AppPlatform(), new Restarts(20, 60_000));
        server.start();
        for (int tries = 0; tries < 400 && server.isOn(); tries++) {
            Thread.sleep(25);
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("on", server.isOn());
        shown.put("failure", server.failure());
        shown.put("starts", Files.readAllLines(new File(AppPhone.home, "starts").toPath()).size());
        return shown;
    }

    /** What a person sees, in order. */
    private static List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (View view : views()) {
            if (view instanceof TextView && view.getVisibility() == View.VISIBLE) {
                texts.add(((TextView) view).getText().toString());
            }
        }
        return texts;
    }

    private static <T extends TextView> T find(Class<T> type, String text) {
        for (View view : views()) {
            boolean shown = view.getVisibility() == View.VISIBLE;
            if (shown && type.isInstance(view) && ((TextView) view).getText().toString().equals(text)) {
                return type.cast(view);
            }
        }
        throw new IllegalStateException("there is no \"" + text + "\"");
    }

    private static EditText fieldAfter(String label) {
        List<View> views = views();
        for (int index = 1; index < views.size(); index++) {
            View before = views.get(index - 1);
            if (views.get(index) instanceof EditText && ((TextView) before).getText().toString().equals(label)) {
                return (EditText) views.get(index);
            }
        }
        throw new IllegalStateException("there is no field " + label);
    }

    private static List<View> views() {
        ViewGroup list = (ViewGroup) ((ViewGroup) settings.content).getChildAt(0);
        List<View> views = new ArrayList<>();
        for (int index = 0; index < list.getChildCount(); index++) {
            views.add(list.getChildAt(index));
        }
        return views;
    }

    /** Side of the code that is shown, in pixels; {@code null} when none is. */
    private static Integer codePixels() throws IOException {
        for (View view : views()) {
            if (view instanceof ImageView && view.getVisibility() == View.VISIBLE) {
                return ((ImageView) view).picture.getWidth();
            }
        }
        return null;
    }
}
