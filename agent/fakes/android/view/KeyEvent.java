package android.view;

public class KeyEvent extends InputEvent {
    public static final int ACTION_DOWN = 0;
    public static final int ACTION_UP = 1;
    public static final int FLAG_LONG_PRESS = 128;
    public static final int KEYCODE_APP_SWITCH = 187;
    public static final int KEYCODE_BACK = 4;
    public static final int KEYCODE_DPAD_CENTER = 23;
    public static final int KEYCODE_DPAD_DOWN = 20;
    public static final int KEYCODE_DPAD_LEFT = 21;
    public static final int KEYCODE_DPAD_RIGHT = 22;
    public static final int KEYCODE_DPAD_UP = 19;
    public static final int KEYCODE_ENTER = 66;
    public static final int KEYCODE_HOME = 3;
    public static final int KEYCODE_DEL = 67;
    public static final int KEYCODE_PASTE = 279;

    private final long eventTime;
    private final int action;
    private final int code;
    private final int repeat;
    private final int metaState;
    private final int flags;

    public KeyEvent(
            long downTime, long eventTime, int action, int code, int repeat, int metaState, int deviceId, int scanCode,
            int flags, int source) {
        this.eventTime = eventTime;
        this.action = action;
        this.code = code;
        this.repeat = repeat;
        this.metaState = metaState;
        this.flags = flags;
    }

    public KeyEvent(long downTime, long eventTime, int action, int code, int repeat, int metaState) {
        this(downTime, eventTime, action, code, repeat, metaState, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0, 0);
    }

    public static KeyEvent changeTimeRepeat(KeyEvent event, long eventTime, int repeat) {
        return new KeyEvent(
            eventTime, eventTime, event.action, event.code, repeat, event.metaState,
            KeyCharacterMap.VIRTUAL_KEYBOARD, 0, event.flags, InputDevice.SOURCE_KEYBOARD);
    }

    @Override
    public String bridgeOperation() {
        return "key";
    }

    @Override
    public Object[] bridgeFields() {
        return new Object[] {
            "action", action, "code", code, "meta", metaState, "repeat", repeat, "flags", flags, "event_ms", eventTime
        };
    }
}
