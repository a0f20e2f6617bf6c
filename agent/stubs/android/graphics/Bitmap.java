package android.graphics;

import java.io.OutputStream;
import java.nio.Buffer;

public final class Bitmap {
    public enum CompressFormat {
        JPEG,
        PNG
    }

    public enum Config {
        ARGB_8888
    }

    Bitmap() {}

    public static native Bitmap createBitmap(Bitmap source, int x, int y, int width, int height);

    public static native Bitmap createScaledBitmap(Bitmap source, int width, int height, boolean filter);

    public native boolean compress(CompressFormat format, int quality, OutputStream out);

    public native Bitmap copy(Config config, boolean mutable);

    public native void copyPixelsToBuffer(Buffer buffer);

    public native int getByteCount();

    public native Config getConfig();

    public native int getHeight();

    public native int getPixel(int x, int y);

    public native int getWidth();

    public native void recycle();
}
