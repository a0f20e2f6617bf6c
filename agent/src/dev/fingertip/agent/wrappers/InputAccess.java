package dev.fingertip.agent.wrappers;

import android.os.Build;
import android.view.InputEvent;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Method;

/** Injects touches and keys. */
public final class InputAccess {
    public static final Lookup<InputAccess> LOOKUP = new Lookup<>("Input", InputAccess::new);

    /** Does not wait. */
    public static final int ASYNCHRONOUS = 0;
    /** Waits until the event is on its way to a window, not until an app has dealt with it. */
    public static final int WAIT_FOR_RESULT = 1;

    /** Android 14 moved the work to InputManagerGlobal; the old class still passes it on through Android 15. */
    private static final int GLOBAL_SINCE = 34;

    private final Object manager;
    private final Method inject;

    private InputAccess() throws ReflectiveOperationException {
        boolean global = Build.VERSION.SDK_INT >= GLOBAL_SINCE;
        String suffix = global ? "Global" : "";
        Class<?> type = Class.forName("android.hardware.input.InputManager" + suffix);
        manager = Lookup.method(type, "getInstance").invoke(null);
        inject = Lookup.method(type, "injectInputEvent", InputEvent.class, int.class);
    }

    /** {@code false} when the system did not take it. */
    public boolean inject(InputEvent event, int mode) throws Failure {
        return (Boolean) Lookup.call(inject, manager, event, mode);
    }
}
