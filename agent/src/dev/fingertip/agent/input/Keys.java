package dev.fingertip.agent.input;

import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wrappers.InputAccess;

/** Presses keys. A key that went down always comes up. */
public final class Keys {
    /** From then on a held key is a long press. */
    static final int LONG_PRESS_MS = 500;

    /** So many events of typing may be on their way at once. */
    private static final int WAIT_EVERY = 64;

    private final Clock clock;

    public Keys(Clock clock) {
        this.clock = clock;
    }

    public void press(int code, int meta, int holdMs) throws Failure {
        long start = clock.now();
        try {
            send(KeyEvent.ACTION_DOWN, code, meta, start, start, 0, 0);
            if (holdMs >= LONG_PRESS_MS && clock.waitUntil(start + LONG_PRESS_MS)) {
                send(KeyEvent.ACTION_DOWN, code, meta, start, start + LONG_PRESS_MS, 1, KeyEvent.FLAG_LONG_PRESS);
            }
            clock.waitUntil(start + holdMs);
        } finally {
            send(KeyEvent.ACTION_UP, code, meta, start, clock.now(), 0, 0);
        }
    }

    /** Types a text key by key; {@code false}, with nothing typed, when a character has no key. */
    public boolean type(String text) throws Failure {
        KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
        if (events == null) {
            return false;
        }
        for (int index = 0; index < events.length; index++) {
            long now = clock.now();
            if (!clock.waitUntil(now)) {
                throw new Failure(Failure.CANCELLED, "typing was called off");
            }
            // The system keeps the order, and waiting for each is very slow; never waiting would flood it.
            boolean waits = index == events.length - 1 || index % WAIT_EVERY == WAIT_EVERY - 1;
            KeyEvent event = KeyEvent.changeTimeRepeat(events[index], now, 0);
            inject(event, waits ? InputAccess.WAIT_FOR_RESULT : InputAccess.ASYNCHRONOUS);
        }
        return true;
    }

    private static void send(int action, int code, int meta, long down, long time, int repeat, int flags)
            throws Failure {
        inject(new KeyEvent(
            down, time, action, code, repeat, meta,
            KeyCharacterMap.VIRTUAL_KEYBOARD, 0, flags, InputDevice.SOURCE_KEYBOARD),
            InputAccess.WAIT_FOR_RESULT);
    }

    private static void inject(KeyEvent event, int mode) throws Failure {
        if (!InputAccess.LOOKUP.get().inject(event, mode)) {
            throw new Failure(Failure.REFUSED, "the system did not take the key");
        }
    }
}
