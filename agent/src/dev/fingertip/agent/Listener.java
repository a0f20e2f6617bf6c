package dev.fingertip.agent;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import dev.fingertip.agent.wire.Connection;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Frame;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the host under a name that cannot be guessed, and lets in the first that knows the secret.
 *
 * <p>Strangers may connect: they are heard at once, a few beside each other, for a short time, and never answered.
 */
final class Listener {
    /** How long a connection may take to say hello. */
    private static final int HELLO_MS = 5_000;
    /** How many connections may be heard at once. */
    private static final int MAX_HEARD = 4;

    final String name = "fingertip-" + random(8);
    final String secret = random(16);
    private final LocalServerSocket server;
    private final Semaphore heard = new Semaphore(MAX_HEARD);
    private final SynchronousQueue<Host> hosts = new SynchronousQueue<>();

    Listener() throws IOException {
        server = new LocalServerSocket(name);
    }

    /** The host; {@code null} when it did not come in time. Nobody else is let in afterwards. */
    Host await(long milliseconds) throws InterruptedException, IOException {
        Thread accepting = new Thread(this::accept, "fingertip-accept");
        accepting.setDaemon(true);
        accepting.start();
        Host host = hosts.poll(milliseconds, TimeUnit.MILLISECONDS);
        server.close();
        return host;
    }

    private void accept() {
        while (true) {
            LocalSocket socket;
            try {
                socket = server.accept();
            } catch (IOException closed) {
                return;
            }
            if (!heard.tryAcquire()) {
                close(socket);
                continue;
            }
            Thread hearing = new Thread(() -> hear(socket), "fingertip-hello");
            hearing.setDaemon(true);
            hearing.start();
        }
    }

    private void hear(LocalSocket socket) {
        boolean taken = false;
        try {
            socket.setSoTimeout(HELLO_MS);
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), Host.BUFFER));
            Frame frame = Frame.read(in);
            if (frame != null && knowsSecret(frame)) {
                socket.setSoTimeout(0);
                Host host = new Host(in, socket.getOutputStream(), frame.request, socket::shutdownInput);
                taken = hosts.offer(host, HELLO_MS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException | InterruptedException rude) {
            // A stranger learns nothing, not even why.
        } finally {
            heard.release();
            if (!taken) {
                close(socket);
            }
        }
    }

    /** The version is not judged here: the host reads ours in the reply and leaves if it does not like it. */
    private boolean knowsSecret(Frame frame) throws IOException {
        Fields fields = new Fields(Connection.object(frame));
        try {
            boolean hello = fields.text("op").equals("hello");
            fields.integer("version", 1, Integer.MAX_VALUE);
            byte[] said = fields.text("secret").getBytes(StandardCharsets.UTF_8);
            fields.finish();
            return hello & MessageDigest.isEqual(said, secret.getBytes(StandardCharsets.UTF_8));
        } catch (Failure wrong) {
            return false;
        }
    }

    private static void close(LocalSocket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // Closed is closed.
        }
    }

    private static String random(int bytes) {
        byte[] values = new byte[bytes];
        new SecureRandom().nextBytes(values);
        StringBuilder digits = new StringBuilder();
        for (byte value : values) {
            digits.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        return digits.toString();
    }
}
