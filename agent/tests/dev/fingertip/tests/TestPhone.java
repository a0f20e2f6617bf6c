package dev.fingertip.tests;

import dev.fingertip.agent.wire.Json;
import dev.fingertip.agent.wire.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A very small phone behind the bridge: one window, a few nodes, and a note of everything done to it. */
final class TestPhone implements AutoCloseable {
    static final int WINDOW = 3;

    final TestNode root = new TestNode(1, "android.widget.FrameLayout");
    /** What was asked, in words: {@code motion 0}, {@code perform 2 16}. */
    // Read while the agent still acts.
    final List<String> done = new CopyOnWriteArrayList<>();
    volatile String clipboard;
    volatile String held;
    volatile String forbidden;
    volatile boolean rootless;
    volatile boolean pastes = true;
    volatile boolean refusesText;
    volatile boolean frozen;
    volatile boolean black;
    volatile int listenPort;
    volatile int sdk = 34;
    private final ServerSocket server;
    private final long boot = System.nanoTime() - 5_000_000_000L;
    private final List<OutputStream> listeners = new CopyOnWriteArrayList<>();
    private long generation = 1;

    TestPhone() throws IOException {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "phone");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** The screen is another from now on, without an event. */
    synchronized void changed() {
        generation++;
    }

    /** Tells an accessibility event. */
    void tell(int type, String className, String... texts) throws IOException {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("package", "com.example");
        event.put("class", className);
        event.put("window", WINDOW);
        event.put("event_ms", uptime());
        event.put("text", Arrays.asList(texts));
        synchronized (listeners) {
            for (OutputStream listener : listeners) {
                write(listener, event);
            }
        }
    }

    TestNode find(long key) {
        return find(root, key);
    }

    long uptime() {
        return (System.nanoTime() - boot) / 1_000_000;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        while (true) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket), "phone-bridge");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            InputStreamReader letters = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8);
            BufferedReader in = new BufferedReader(letters);
            OutputStream out = socket.getOutputStream();
            String first = in.readLine();
            if (first == null) {
                return;
            }
            Map<String, Object> hello = Json.parseObject(first);
            Check.equal("bridge secret", hello.get("secret"));
            if (hello.get("channel").equals("events")) {
                write(out, Collections.singletonMap("ok", true));
                listeners.add(out);
                return;
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                answer(Json.parseObject(line), out);
            }
        } catch (IOException gone) {
            // The agent has ended.
        } catch (Json.Malformed wrong) {
            throw new AssertionError(wrong);
        }
    }

    private void answer(Map<String, Object> request, OutputStream out) throws IOException {
        String operation = (String) request.get("op");
        if (operation.equals("screenshot")) {
            byte[] pixels = new byte[40 * 80 * 4];
            Arrays.fill(pixels, (byte) (black ? 0 : 200));
            Map<String, Object> reply = new LinkedHashMap<>();
            reply.put("bytes", pixels.length);
            reply.put("width", 40);
            reply.put("height", 80);
            write(out, reply);
            out.write(pixels);
            return;
        }
        boolean connects = operation.equals("connect");
        boolean injects = operation.equals("motion") || operation.equals("key");
        String refused = connects ? held : injects ? forbidden : null;
        if (refused != null) {
            write(out, Collections.singletonMap("error", refused));
        } else {
            write(out, Collections.singletonMap("ok", result(operation, request)));
        }
    }

    private Object result(String operation, Map<String, Object> request) {
        switch (operation) {
            case "boot":
                return map("sdk", sdk, "model", "Test phone", "release", "14", "uptime_ms", uptime());
            case "listen":
                listenPort = ((Number) request.get("port")).intValue();
                return true;
            case "windows":
                return windows(((Number) request.get("generation")).longValue());
            case "perform":
                return perform(request);
            case "motion":
                done.add("motion " + request.get("action") + " " + request.get("pointers"));
                return true;
            case "key":
                done.add("key " + request.get("code") + " " + request.get("action") + " " + request.get("repeat"));
                return true;
            case "clipboard_get":
                return clipboard;
            case "clipboard_set":
                clipboard = (String) request.get("text");
                return true;
            case "display":
                return map("width", 1080, "height", 2400, "rotation", 0, "density", 420);
            case "shell":
                return "mCurrentFocus=Window{1 u0 com.example/com.example.Main}\n"
                    + "Window #0 Window{1 u0 com.example/com.example.Main}:\n fl=SECURE X\n isOnScreen=true\n";
            default:
                done.add(operation + (request.containsKey("action") ? " " + request.get("action") : ""));
                return true;
        }
    }

    private synchronized Object windows(long known) {
        while (frozen) {
            try {
                wait(10);
            } catch (InterruptedException ended) {
                return null;
            }
        }
        if (known == generation) {
            return map("generation", generation);
        }
        List<Object> nodes = new ArrayList<>();
        root.addTo(nodes);
        Map<String, Object> window = map(
            "id", WINDOW, "type", 1, "layer", 2, "bounds", Arrays.asList(0, 0, 1080, 2400), "focused", true,
            "active", true, "title", "Example", "nodes", rootless ? null : nodes);
        return map("generation", generation, "windows", Collections.singletonList(window));
    }

    private synchronized boolean perform(Map<String, Object> request) {
        TestNode node = find(((Number) request.get("node")).longValue());
        int action = ((Number) request.get("action")).intValue();
        if (node == null || !node.actions.contains(action)) {
            return false;
        }
        done.add("perform " + node.key + " " + action);
        Map<?, ?> arguments = (Map<?, ?>) request.get("arguments");
        generation++;
        switch (action) {
            case 2097152:
                return !refusesText && set(node, (String) arguments.get("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE"));
            case 131072:
                node.selection = ((Number) arguments.get("ACTION_ARGUMENT_SELECTION_END_INT")).intValue();
                return true;
            case 32768:
                return pastes && set(node, clipboard);
            default:
                return action != 4096;
        }
    }

    private static boolean set(TestNode node, String text) {
        node.text = text;
        return true;
    }

    private static TestNode find(TestNode node, long key) {
        if (node.key == key) {
            return node;
        }
        for (TestNode child : node.children) {
            TestNode found = find(child, key);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static Map<String, Object> map(Object... members) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int index = 0; index < members.length; index += 2) {
            map.put((String) members[index], members[index + 1]);
        }
        return map;
    }

    private static void write(OutputStream out, Map<String, Object> object) throws IOException {
        byte[] json = new JsonWriter().any(object).bytes();
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        out.write(line);
    }
}
