package dev.fingertip.agent.input;

import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wrappers.InputAccess;

/** Presses keys of the virtual keyboard, as the shell may. A key that went down always comes up. */
public final class Keys implements Keyboard {
    /** From then on a held key is a long press. */
    static final int LONG_PRESS_MS = 500;

    /** So many events of typing may be on their way at once. */
    private static final int WAIT_EVERY = 64;

    /** So many characters are typed before it is seen again who has the keyboard. */
    private static final int TYPED_AT_ONCE = 32;
    /** How long an app that a line end or a tab opens is given to come up. */
    private static final int SETTLING_MS = 150;

    private final Clock clock;
    private final Guard guard;

    /** For the expected receiver, where there is a guard; else for the window with the keyboard. */
    public Keys(Clock clock, Guard guard) {
        this.clock = clock;
        this.guard = guard;
    }

    @Override
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

    /** Key by key; {@code false} when a character has no key. */
    @Override
    public boolean type(String text) throws Failure {
        KeyCharacterMap map = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD);
        KeyEvent[] events = map.getEvents(text.toCharArray());
        if (events == null) {
            return false;
        }
        if (guard == null) {
            send(events);
            return true;
        }
        int length = text.length();
        for (int from = 0, to; from < length; from = to) {
            guard.mustHold(from, length);
            to = pieceEnd(text, from);
            send(map.getEvents(text.substring(from, to).toCharArray()));
            if (to < length && leaves(text.charAt(to - 1))) {
                clock.waitUntil(clock.now() + SETTLING_MS);
            }
        }
        return true;
    }

    /** A piece ends after a character that may open something else, or when it is long enough. */
    private static int pieceEnd(String text, int from) {
        int end = from + 1;
        while (end < text.length() && end - from < TYPED_AT_ONCE && !leaves(text.charAt(end - 1))) {
            end++;
        }
        return end;
    }

    private static boolean leaves(char character) {
        return character == '\n' || character == '\t';
    }

    private void send(KeyEvent[] events) throws Failure {
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
