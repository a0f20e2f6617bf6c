package dev.fingertip.app;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.InputMethod;
import android.os.Build;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;

/**
 * What an app has of a keyboard: the system's own keys, and from Android 13 on the connection to the field that has the focus.
 *
 * <p>There is no way for other keys, or to what is no field: that is said, and nothing is pressed.
 */
final class FieldKeyboard implements Keyboard {
    /** Gets the service, or says that it is switched off. */
    interface Source {
        AccessibilityService get() throws Failure;
    }

    private final Source service;
    private final Clock clock;
    private final Guard guard;

    FieldKeyboard(Source service, Clock clock, Guard guard) {
        this.service = service;
        this.clock = clock;
        this.guard = guard;
    }

    @Override
    public void press(int code, int meta, int holdMs) throws Failure {
        int global = meta == 0 && holdMs == 0 ? global(code) : 0;
        boolean done = global == 0 ? sent(code, meta, holdMs) : service.get().performGlobalAction(global);
        if (!done && !(code == KeyEvent.KEYCODE_ENTER && meta == 0 && entered()) && !pad(code, meta)) {
            throw new Failure(Failure.UNSUPPORTED,
                "an app can press this key (" + code + ") only in a text field that has the focus"
                    + (hasConnections() ? "" : ", and from Android 13 on"));
        }
    }

    @Override
    public boolean type(String text) throws Failure {
        InputMethod.AccessibilityInputConnection field = connection();
        if (field == null) {
            return false;
        }
        if (guard != null) {
            guard.mustHold(0, text.length());
        }
        field.commitText(text, 1, null);
        return true;
    }

    private static int global(int code) {
        switch (code) {
            case KeyEvent.KEYCODE_BACK:
                return AccessibilityService.GLOBAL_ACTION_BACK;
            case KeyEvent.KEYCODE_HOME:
                return AccessibilityService.GLOBAL_ACTION_HOME;
            case KeyEvent.KEYCODE_APP_SWITCH:
                return AccessibilityService.GLOBAL_ACTION_RECENTS;
            default:
                return 0;
        }
    }

    /** The keys of a D-pad move the focus where no field takes them. */
    private boolean pad(int code, int meta) throws Failure {
        if (!hasConnections() || meta != 0) {
            return false;
        }
        switch (code) {
            case KeyEvent.KEYCODE_DPAD_UP:
                return service.get().performGlobalAction(AccessibilityService.GLOBAL_ACTION_DPAD_UP);
            case KeyEvent.KEYCODE_DPAD_DOWN:
                return service.get().performGlobalAction(AccessibilityService.GLOBAL_ACTION_DPAD_DOWN);
            case KeyEvent.KEYCODE_DPAD_LEFT:
                return service.get().performGlobalAction(AccessibilityService.GLOBAL_ACTION_DPAD_LEFT);
            case KeyEvent.KEYCODE_DPAD_RIGHT:
                return service.get().performGlobalAction(AccessibilityService.GLOBAL_ACTION_DPAD_RIGHT);
            case KeyEvent.KEYCODE_DPAD_CENTER:
                return service.get().performGlobalAction(AccessibilityService.GLOBAL_ACTION_DPAD_CENTER);
            default:
                return false;
        }
    }

    /** Enter as the field's own action, which Android has had for longer. */
    private boolean entered() throws Failure {
        AccessibilityNodeInfo field = service.get().findFocus(AccessibilityNodeInfo.FOCUS_INPUT);
        return field != null
            && field.performAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_IME_ENTER.getId(), null);
    }

    private static boolean hasConnections() {
        return Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU;
    }

    /** The connection to the field that has the focus; {@code null} when there is none. */
    private InputMethod.AccessibilityInputConnection connection() throws Failure {
        AccessibilityService from = service.get();
        if (!hasConnections()) {
            return null;
        }
        InputMethod method = from.getInputMethod();
        return method == null || !method.getCurrentInputStarted() ? null : method.getCurrentInputConnection();
    }

    private boolean sent(int code, int meta, int holdMs) throws Failure {
        InputMethod.AccessibilityInputConnection field = connection();
        if (field == null) {
            return false;
        }
        long down = clock.now();
        field.sendKeyEvent(new KeyEvent(down, down, KeyEvent.ACTION_DOWN, code, 0, meta));
        try {
            clock.waitUntil(down + holdMs);
        } finally {
            field.sendKeyEvent(new KeyEvent(down, clock.now(), KeyEvent.ACTION_UP, code, 0, meta));
        }
        return true;
    }
}
