package android.hardware;

import android.graphics.Bitmap;

public final class HardwareBuffer implements AutoCloseable {
    /** For the bridge. */
    public final Bitmap picture;

    /** For the bridge. */
    public HardwareBuffer(Bitmap picture) {
        this.picture = picture;
    }

    @Override
    public void close() {}
}
