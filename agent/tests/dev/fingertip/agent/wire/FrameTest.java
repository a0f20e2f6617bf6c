package dev.fingertip.agent.wire;

import dev.fingertip.tests.Check;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public final class FrameTest {
    private static Frame read(byte[] bytes) throws IOException {
        return Frame.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static byte[] head(int length, int kind, int request, int payload) {
        return ByteBuffer.allocate(9 + payload).putInt(length).put((byte) kind).putInt(request).array();
    }

    public void aRequestIsRead() throws Exception {
        byte[] bytes = head(7, Frame.REQUEST, 0xfffffffe, 2);
        bytes[9] = '{';
        bytes[10] = '}';
        Frame frame = read(bytes);
        Check.equal(-2, frame.request);
        Check.equal("{}", new String(frame.payload, StandardCharsets.UTF_8));
        Check.equal(0, Connection.object(frame).size());
    }

    public void theEndBetweenFramesIsNoError() throws Exception {
        Check.equal(null, read(new byte[0]));
    }

    public void lengthsOutOfRangeAreRefused() {
        for (int length : new int[] {0, 4, -1, Integer.MIN_VALUE, Frame.MAX_INCOMING + 1, Integer.MAX_VALUE}) {
            Check.fails(Frame.Malformed.class, () -> read(head(length, Frame.REQUEST, 1, 0)));
        }
    }

    public void otherKindsAndNoNumberAreRefused() {
        for (int kind : new int[] {0, Frame.REPLY, Frame.EVENT, Frame.BINARY, 6, 255}) {
            Check.fails(Frame.Malformed.class, () -> read(head(5, kind, 1, 0)));
        }
        Check.fails(Frame.Malformed.class, () -> read(head(5, Frame.REQUEST, 0, 0)));
    }

    public void aCutFrameIsRefused() {
        byte[] whole = head(10, Frame.REQUEST, 1, 5);
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            Check.fails(IOException.class, () -> read(cut));
        }
    }

    public void aPayloadThatIsNoObjectIsRefused() {
        for (String payload : new String[] {"", "[]", "{", "\u00e9"}) {
            byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
            byte[] frame = head(5 + bytes.length, Frame.REQUEST, 1, bytes.length);
            System.arraycopy(bytes, 0, frame, 9, bytes.length);
            Check.fails(Frame.Malformed.class, () -> Connection.object(read(frame)));
        }
    }

    public void framesAreWrittenWhole() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Frame.write(out, Frame.REPLY, 7, "{}".getBytes(StandardCharsets.UTF_8));
        Frame.writeBinary(out, 8, "{}".getBytes(StandardCharsets.UTF_8), new byte[] {1, 2, 3});
        ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
        Check.equal(7, bytes.getInt());
        Check.equal((byte) Frame.REPLY, bytes.get());
        Check.equal(7, bytes.getInt());
        Check.equal((short) 0x7b7d, bytes.getShort());
        Check.equal(5 + 4 + 2 + 3, bytes.getInt());
        Check.equal((byte) Frame.BINARY, bytes.get());
        Check.equal(8, bytes.getInt());
        Check.equal(2, bytes.getInt());
        Check.equal((short) 0x7b7d, bytes.getShort());
        Check.equal(3, bytes.remaining());
    }

    public void aFrameTooLongIsNotSent() {
        byte[] long64 = new byte[Frame.MAX_OUTGOING];
        Check.fails(Frame.Malformed.class, () -> Frame.writeBinary(new ByteArrayOutputStream(), 1, new byte[2], long64));
    }

    public void unreadFieldsAreRefused() throws Exception {
        Fields fields = new Fields(Json.parseObject("{\"op\":\"x\",\"number\":3,\"more\":1}"));
        fields.text("op");
        Check.equal(3, fields.integer("number", 1, 3));
        Check.equal("invalid", Check.fails(Failure.class, fields::finish).kind);
        Check.equal("invalid", Check.fails(Failure.class, () -> fields.integer("number", 1, 2)).kind);
        Check.equal("invalid", Check.fails(Failure.class, () -> fields.text("number")).kind);
        Check.equal("invalid", Check.fails(Failure.class, () -> fields.text("absent")).kind);
        Check.equal(9, fields.integer("absent", 1, 2, 9));
    }
}
