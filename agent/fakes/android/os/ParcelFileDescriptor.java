package android.os;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/** Holds what a command printed. */
public class ParcelFileDescriptor {
    private final byte[] bytes;

    ParcelFileDescriptor(byte[] bytes) {
        this.bytes = bytes;
    }

    /** For the bridge. */
    public static ParcelFileDescriptor holding(String text) {
        return new ParcelFileDescriptor(text.getBytes(StandardCharsets.UTF_8));
    }

    public static class AutoCloseInputStream extends ByteArrayInputStream {
        public AutoCloseInputStream(ParcelFileDescriptor descriptor) {
            super(descriptor.bytes);
        }
    }
}
