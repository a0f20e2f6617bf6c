package dev.fingertip.agent.wire;

import java.io.IOException;
import java.io.OutputStream;

/** The writing end of the connection: whole frames, one at a time, from any thread. */
public final class Outlet {
    private final OutputStream out;

    public Outlet(OutputStream out) {
        this.out = out;
    }

    public synchronized void reply(int request, Reply reply) throws IOException {
        if (reply.bytes == null) {
            Frame.write(out, Frame.REPLY, request, reply.json);
        } else {
            Frame.writeBinary(out, request, reply.json, reply.bytes);
        }
    }

    public synchronized void error(int request, Failure failure) throws IOException {
        Frame.write(out, Frame.ERROR, request, failure.json());
    }

    public synchronized void event(byte[] json) throws IOException {
        Frame.write(out, Frame.EVENT, 0, json);
    }
}
