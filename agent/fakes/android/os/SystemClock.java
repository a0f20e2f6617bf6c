package android.os;

import dev.fingertip.fakes.Bridge;
import java.util.Map;

/** The phone's clock, read once; from then on ours shows how much later it is. */
public final class SystemClock {
    private static final long BASE_NANOS;

    static {
        long now = System.nanoTime();
        Number uptime = (Number) ((Map<?, ?>) Bridge.call("boot")).get("uptime_ms");
        BASE_NANOS = now - uptime.longValue() * 1_000_000;
    }

    SystemClock() {}

    public static long uptimeMillis() {
        return (System.nanoTime() - BASE_NANOS) / 1_000_000;
    }
}
