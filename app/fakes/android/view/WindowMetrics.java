package android.view;

import android.graphics.Rect;
import dev.fingertip.fakes.Bridge;
import java.util.Map;

public final class WindowMetrics {
    public Rect getBounds() {
        Map<?, ?> display = (Map<?, ?>) Bridge.call("display");
        Rect bounds = new Rect();
        bounds.right = ((Number) display.get("width")).intValue();
        bounds.bottom = ((Number) display.get("height")).intValue();
        return bounds;
    }
}
