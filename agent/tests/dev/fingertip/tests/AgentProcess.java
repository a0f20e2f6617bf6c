package dev.fingertip.tests;

import dev.fingertip.agent.wire.Json;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The agent as a program of its own, on the fakes, with the host's end of its connection. */
final class AgentProcess implements AutoCloseable {
    /** No answer takes so long unless something hangs. */
    static final int HANG_MS = 20_000;

    static final Path OWN_CLASSES = Paths.get(System.getProperty("java.class.path"));

    /** One frame as it came. */
    static final class Received {
        int kind;
        int request;
        Map<String, Object> json;
        byte[] bytes;
    }

    final TestPhone phone;
    final Map<String, Object> announced;
    private final Process process;
    private Socket socket;
    private DataInputStream in;
    private DataOutputStream out;
    private int lastRequest;

    AgentProcess(TestPhone phone, String... options) throws Exception {
        this(phone, OWN_CLASSES, null, options);
    }

    AgentProcess(TestPhone phone, File ownFile, String... options) throws Exception {
        this(phone, OWN_CLASSES, ownFile, options);
    }

    AgentProcess(TestPhone phone, Path classPath, File ownFile, String... options) throws Exception {
        this.phone = phone;
        List<String> command = new ArrayList<>(Arrays.asList(
            new File(System.getProperty("java.home"), "bin/java").getPath(), "-XX:TieredStopAtLevel=1", "-cp",
            classPath.toString(), "dev.fingertip.agent.Main", "--build", "0123456789abcdef"));
        command.addAll(Arrays.asList(options));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("FINGERTIP_BRIDGE", phone.address());
        builder.environment().put("FINGERTIP_BRIDGE_SECRET", "bridge secret");
        builder.environment().remove("CLASSPATH");
        if (ownFile != null) {
            builder.environment().put("CLASSPATH", ownFile.getPath());
        }
        process = builder.start();
        InputStreamReader letters = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
        String line = new BufferedReader(letters).readLine();
        announced = line == null ? null : Json.parseObject(line);
    }

    /** A connection that has said nothing yet. */
    void dial() throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), phone.listenPort);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(HANG_MS);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    Map<String, Object> hello() throws Exception {
        dial();
        return ok("hello", "\"version\":1,\"secret\":\"" + announced.get("secret") + "\"");
    }

    int send(String operation, String fields) throws IOException {
        String json = "{\"op\":\"" + operation + "\"" + (fields.isEmpty() ? "" : "," + fields) + "}";
        sendRaw(1, ++lastRequest, json.getBytes(StandardCharsets.UTF_8));
        return lastRequest;
    }

    void sendRaw(int kind, int request, byte[] payload) throws IOException {
        out.writeInt(payload.length + 5);
        out.writeByte(kind);
        out.writeInt(request);
        out.write(payload);
        out.flush();
    }

    void sendBytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next frame; {@code null} at the end. */
    Received receive() throws Exception {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException | SocketException end) {
            return null;
        }
        Received frame = new Received();
        frame.kind = in.readUnsignedByte();
        frame.request = in.readInt();
        byte[] payload = new byte[length - 5];
        in.readFully(payload);
        int start = frame.kind == 5 ? 4 : 0;
        DataInputStream head = new DataInputStream(new ByteArrayInputStream(payload));
        int end = frame.kind == 5 ? 4 + head.readInt() : payload.length;
        frame.json = Json.parseObject(new String(payload, start, end - start, StandardCharsets.UTF_8));
        frame.bytes = Arrays.copyOfRange(payload, end, payload.length);
        return frame;
    }

    /** The answer to a request; events and other answers on the way are dropped. */
    Received answer(int request) throws Exception {
        while (true) {
            Received frame = receive();
            if (frame == null) {
                throw new AssertionError("the agent closed the connection");
            }
            if (frame.request == request) {
                return frame;
            }
        }
    }

    Map<String, Object> ok(String operation, String fields) throws Exception {
        Received frame = answer(send(operation, fields));
        Check.that(frame.kind == 2, frame.json);
        return frame.json;
    }

    /** The error's object, which must be of this kind. */
    Map<String, Object> fails(String kind, String operation, String fields) throws Exception {
        return failed(kind, send(operation, fields));
    }

    Map<String, Object> failed(String kind, int request) throws Exception {
        Received frame = answer(request);
        Check.that(frame.kind == 3, frame.json);
        Check.that(kind.equals(frame.json.get("kind")), frame.json);
        return frame.json;
    }

    void hangUp() throws IOException {
        socket.close();
    }

    int exitCode() throws InterruptedException {
        Check.that(process.waitFor(HANG_MS, TimeUnit.MILLISECONDS), "the agent does not end");
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        phone.close();
    }
}
