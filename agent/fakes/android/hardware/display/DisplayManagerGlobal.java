package android.hardware.display;

import android.view.DisplayInfo;
import dev.fingertip.fakes.Bridge;
import java.util.Map;

public final class DisplayManagerGlobal {
    private static final DisplayManagerGlobal INSTANCE = new DisplayManagerGlobal();

    private DisplayManagerGlobal() {}

    public static DisplayManagerGlobal getInstance() {
        return INSTANCE;
    }

    public DisplayInfo getDisplayInfo(int displayId) {
        Map<?, ?> display = (Map<?, ?>) Bridge.call("display");
        DisplayInfo info = new DisplayInfo();
        info.logicalWidth = ((Number) display.get("width")).intValue();
        info.logicalHeight = ((Number) display.get("height")).intValue();
        info.rotation = ((Number) display.get("rotation")).intValue();
        info.logicalDensityDpi = ((Number) display.get("density")).intValue();
        return info;
    }
}
