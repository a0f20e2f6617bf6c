package android.os;

import java.util.concurrent.CountDownLatch;

/** Has no messages: events come on a thread of the bridge. */
public final class Looper {
    Looper() {}

    public static Looper getMainLooper() {
        return new Looper();
    }

    public static void prepareMainLooper() {}

    public static void loop() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
