package android.os;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Holds what a command printed, in a file that is gone as soon as it is open. */
public class ParcelFileDescriptor {
    private final File file;

    ParcelFileDescriptor(File file) {
        this.file = file;
    }

    /** For the bridge. */
    public static ParcelFileDescriptor holding(String text) {
        try {
            File file = File.createTempFile("fingertip", ".out");
            try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
            return new ParcelFileDescriptor(file);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public static class AutoCloseInputStream extends FileInputStream {
        public AutoCloseInputStream(ParcelFileDescriptor descriptor) {
            super(open(descriptor));
            descriptor.file.delete();
        }

        private static java.io.FileDescriptor open(ParcelFileDescriptor descriptor) {
            try {
                return new FileInputStream(descriptor.file).getFD();
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
