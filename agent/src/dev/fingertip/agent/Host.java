package dev.fingertip.agent;

import dev.fingertip.agent.wire.Connection;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.Frame;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The host, with its hello, which is still to be answered. */
public final class Host {
    static final int BUFFER = 64 * 1024;

    final DataInputStream in;
    final OutputStream out;
    final int hello;
    /** Makes the reading side end. */
    final Closeable hangUp;

    Host(DataInputStream in, OutputStream out, int hello, Closeable hangUp) {
        this.in = in;
        this.out = out;
        this.hello = hello;
        this.hangUp = hangUp;
    }

    /** A host at the other end of two pipes, which no other program has: it needs no secret. Waits for its hello. */
    public static Host over(InputStream in, OutputStream out, Closeable hangUp) throws IOException {
        DataInputStream buffered = new DataInputStream(new BufferedInputStream(in, BUFFER));
        Frame frame = Frame.read(buffered);
        if (frame == null || !greets(frame)) {
            throw new IOException(frame == null ? "the host went before it said hello" : "the host did not say hello");
        }
        return new Host(buffered, out, frame.request, hangUp);
    }

    private static boolean greets(Frame frame) throws IOException {
        try {
            return new Fields(Connection.object(frame)).text("op").equals("hello");
        } catch (Failure wrong) {
            return false;
        }
    }
}
