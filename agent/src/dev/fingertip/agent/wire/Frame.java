package dev.fingertip.agent.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;

/**
 * One message on the socket: a length, a kind, a request number, a payload.
 *
 * <p>A frame that breaks the rules is a {@link Malformed}, and the connection is over: after it nobody knows where
 * the next one starts.
 */
public final class Frame {
    public static final int REQUEST = 1;
    public static final int REPLY = 2;
    public static final int ERROR = 3;
    public static final int EVENT = 4;
    public static final int BINARY = 5;

    /** The longest frame taken, as its length field counts. */
    public static final int MAX_INCOMING = 4 * 1024 * 1024;
    /** The longest frame sent, as its length field counts. */
    public static final int MAX_OUTGOING = 64 * 1024 * 1024;
    /** Kind and request number. */
    private static final int HEAD = 5;

    /** The other side breaks the rules of the framing. */
    public static final class Malformed extends IOException {
        Malformed(String message) {
            super(message);
        }
    }

    public final int kind;
    public final int request;
    public final byte[] payload;

    private Frame(int kind, int request, byte[] payload) {
        this.kind = kind;
        this.request = request;
        this.payload = payload;
    }

    /** The next request; {@code null} when the other side has closed between two frames. */
    public static Frame read(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < HEAD || length > MAX_INCOMING) {
            throw new Malformed("a frame of " + (length & 0xFFFFFFFFL) + " bytes");
        }
        int kind = in.readUnsignedByte();
        int request = in.readInt();
        if (kind != REQUEST) {
            throw new Malformed("a frame of kind " + kind);
        }
        if (request == 0) {
            throw new Malformed("a request without a number");
        }
        byte[] payload = new byte[length - HEAD];
        try {
            in.readFully(payload);
        } catch (EOFException cut) {
            throw new Malformed("a frame ends early");
        }
        return new Frame(kind, request, payload);
    }

    /** Writes a frame with a JSON payload. The caller holds the only writer. */
    public static void write(OutputStream out, int kind, int request, byte[] json) throws IOException {
        byte[] frame = start(kind, request, json.length, json.length);
        System.arraycopy(json, 0, frame, 4 + HEAD, json.length);
        out.write(frame);
        out.flush();
    }

    /** Writes a binary reply: a JSON object, then bytes. */
    public static void writeBinary(OutputStream out, int request, byte[] json, byte[] bytes) throws IOException {
        byte[] frame = start(BINARY, request, 4L + json.length + bytes.length, 4 + json.length);
        putInt(frame, 4 + HEAD, json.length);
        System.arraycopy(json, 0, frame, 8 + HEAD, json.length);
        out.write(frame);
        out.write(bytes);
        out.flush();
    }

    private static byte[] start(int kind, int request, long payload, int kept) throws IOException {
        if (payload + HEAD > MAX_OUTGOING) {
            throw new Malformed("a frame of " + (payload + HEAD) + " bytes was to be sent");
        }
        byte[] frame = new byte[4 + HEAD + kept];
        putInt(frame, 0, (int) payload + HEAD);
        frame[4] = (byte) kind;
        putInt(frame, 5, request);
        return frame;
    }

    private static void putInt(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 24);
        frame[at + 1] = (byte) (value >> 16);
        frame[at + 2] = (byte) (value >> 8);
        frame[at + 3] = (byte) value;
    }
}
