package android.view;

import dev.fingertip.fakes.Bridge;
import java.util.Map;

public final class Display {
    public static final int DEFAULT_DISPLAY = 0;

    public int getRotation() {
        return ((Number) ((Map<?, ?>) Bridge.call("display")).get("rotation")).intValue();
    }
}
