package android.hardware.input;

import android.view.InputEvent;
import dev.fingertip.fakes.Bridge;

public final class InputManager {
    private static final InputManager INSTANCE = new InputManager();

    private InputManager() {}

    public static InputManager getInstance() {
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
