package dev.fingertip.agent.wrappers;

import dev.fingertip.agent.screen.Screen;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Size, rotation and density of the phone's own display, as it is turned now. */
public final class DisplayAccess {
    public static final Lookup<DisplayAccess> LOOKUP = new Lookup<>("Display", DisplayAccess::new);

    private static final int DEFAULT_DISPLAY = 0;

    private final Object manager;
    private final Method getDisplayInfo;
    private final Field width;
    private final Field height;
    private final Field rotation;
    private final Field density;

    private DisplayAccess() throws ReflectiveOperationException {
        Class<?> type = Class.forName("android.hardware.display.DisplayManagerGlobal");
        manager = Lookup.method(type, "getInstance").invoke(null);
        getDisplayInfo = Lookup.method(type, "getDisplayInfo", int.class);
        Class<?> info = Class.forName("android.view.DisplayInfo");
        width = info.getField("logicalWidth");
        height = info.getField("logicalHeight");
        rotation = info.getField("rotation");
        density = info.getField("logicalDensityDpi");
    }

    public Screen read() throws Failure {
        Object info = Lookup.call(getDisplayInfo, manager, DEFAULT_DISPLAY);
        if (info == null) {
            throw new Failure(Failure.UNAVAILABLE, "Android tells nothing of the display").with("wrapper", LOOKUP.name);
        }
        try {
            return new Screen(width.getInt(info), height.getInt(info), rotation.getInt(info), density.getInt(info));
        } catch (IllegalAccessException forbidden) {
            throw Failure.of(forbidden);
        }
    }
}
