package dev.fingertip.fakes;

import dev.fingertip.agent.wire.Json;
import dev.fingertip.agent.wire.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The way to the simulated phone: BRIDGE.md. One connection a thread, so that no thread waits for another. */
public final class Bridge {
    /** The phone said no, in these words. */
    public static final class Refused extends Exception {
        Refused(String words) {
            super(words);
        }
    }

    private static final ThreadLocal<Bridge> OF_THREAD = new ThreadLocal<>();

    private final Socket socket;
    private final LineReader in;
    private final OutputStream out;

    private Bridge(String channel) throws IOException {
        String[] address = System.getenv("FINGERTIP_BRIDGE").split(":");
        socket = new Socket(InetAddress.getByName(address[0]), Integer.parseInt(address[1]));
        socket.setTcpNoDelay(true);
        in = new LineReader(socket.getInputStream());
        out = socket.getOutputStream();
        Map<String, Object> hello = new LinkedHashMap<>();
        hello.put("secret", System.getenv("FINGERTIP_BRIDGE_SECRET"));
        hello.put("channel", channel);
        write(hello);
    }

    /** Asks the phone; names and values alternate. What it refuses is an {@link IllegalStateException}. */
    public static Object call(String operation, Object... fields) {
        try {
            return tryCall(operation, fields);
        } catch (Refused refused) {
            throw new IllegalStateException(refused.getMessage());
        }
    }

    public static Object tryCall(String operation, Object... fields) throws Refused {
        return ask(operation, fields).get("ok");
    }

    /** Asks for bytes; the reply's object has them under {@code data}. */
    public static Map<String, Object> callForBytes(String operation) {
        try {
            Map<String, Object> reply = ask(operation);
            reply.put("data", OF_THREAD.get().in.bytes(((Number) reply.get("bytes")).intValue()));
            return reply;
        } catch (IOException | Refused broken) {
            throw new IllegalStateException("the bridge is broken: " + broken);
        }
    }

    /** A connection on which only the phone speaks. */
    static Bridge events() throws IOException, Refused {
        Bridge bridge = new Bridge("events");
        checked(bridge.read());
        return bridge;
    }

    Map<String, Object> read() throws IOException {
        try {
            return Json.parseObject(in.line());
        } catch (Json.Malformed wrong) {
            throw new IOException(wrong);
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // Closed is closed.
        }
    }

    private static Map<String, Object> ask(String operation, Object... fields) throws Refused {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("op", operation);
        for (int index = 0; index < fields.length; index += 2) {
            request.put((String) fields[index], fields[index + 1]);
        }
        try {
            if (OF_THREAD.get() == null) {
                OF_THREAD.set(new Bridge("calls"));
            }
            OF_THREAD.get().write(request);
            return checked(OF_THREAD.get().read());
        } catch (IOException broken) {
            throw new IllegalStateException("the bridge is broken: " + broken);
        }
    }

    private static Map<String, Object> checked(Map<String, Object> reply) throws Refused {
        if (reply.containsKey("error")) {
            throw new Refused((String) reply.get("error"));
        }
        return reply;
    }

    private void write(Map<String, Object> object) throws IOException {
        byte[] json = new JsonWriter().any(object).bytes();
        byte[] ended = Arrays.copyOf(json, json.length + 1);
        ended[json.length] = '\n';
        out.write(ended);
        out.flush();
    }
}
