package android.hardware.input;

import android.view.InputEvent;
import dev.fingertip.fakes.Bridge;

public final class InputManagerGlobal {
    private static final InputManagerGlobal INSTANCE = new InputManagerGlobal();

    private InputManagerGlobal() {}

    public static InputManagerGlobal getInstance() {
        return INSTANCE;
    }

    public boolean injectInputEvent(InputEvent event, int mode) {
        try {
            return (Boolean) Bridge.tryCall(event.bridgeOperation(), event.bridgeFields());
        } catch (Bridge.Refused refused) {
            throw new SecurityException(refused.getMessage());
        }
    }
}
