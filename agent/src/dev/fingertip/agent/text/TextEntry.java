package dev.fingertip.agent.text;

import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;

/**
 * Gets a text into a field: by the field's own action, else by paste, else by keys, and reads it back.
 *
 * <p>The next way is tried only while the field is untouched: after any change a second try could double the text.
 * What an app makes of the text (formats it, cuts it) is reported, not fought.
 */
final class TextEntry {
    /** How long an app may take to show what it was given. */
    static final int SHOWN_WITHIN_MS = 500;
    private static final int LOOK_EVERY_MS = 15;

    /** Where the text goes. */
    enum Mode {
        REPLACE,
        APPEND,
        INSERT
    }

    /** What became of it. */
    static final class Outcome {
        final String method;
        /** Read back; {@code null} when it cannot be. */
        final String text;
        /** Whether it is what was meant; {@code null} when that cannot be known. */
        final Boolean exact;

        Outcome(String method, String text, Boolean exact) {
            this.method = method;
            this.text = text;
            this.exact = exact;
        }
    }

    private final TextField field;
    private final Clock clock;
    private final String text;
    private final Mode mode;
    private final String before;
    private final int secretBefore;
    private final int start;
    private final int end;
    /** The whole content meant; {@code null} when the content now is secret. */
    private final String wanted;
    private final int secretWanted;

    TextEntry(TextField field, Clock clock, String text, Mode mode) throws Failure {
        this.field = field;
        this.clock = clock;
        this.text = text;
        this.mode = mode;
        before = field.read();
        secretBefore = field.secretLength();
        int length = before == null ? Math.max(0, secretBefore) : before.length();
        int[] selection = field.selection();
        boolean atCursor = mode == Mode.INSERT && selection != null && selection[0] >= 0;
        start = mode == Mode.REPLACE ? 0 : atCursor ? clamp(Math.min(selection[0], selection[1]), length) : length;
        end = atCursor ? clamp(Math.max(selection[0], selection[1]), length) : length;
        wanted = before == null ? null : before.substring(0, start) + text + before.substring(end);
        int typed = text.codePointCount(0, text.length());
        secretWanted = secretBefore < 0 ? -1 : secretBefore - (end - start) + typed;
    }

    Outcome enter() throws Failure {
        if (isDone()) {
            return outcome("set_text");
        }
        if (canSet() && field.setText(before == null ? text : wanted) && isTouched()) {
            field.select(start + text.length(), start + text.length());
            return outcome("set_text");
        }
        if (!text.isEmpty() && select() && pasted()) {
            return outcome("paste");
        }
        if (select() && typed()) {
            return outcome("keys");
        }
        throw new Failure(Failure.UNSUPPORTED,
            "the field takes no text: setting it and pasting had no effect, and not every character has a key");
    }

    /** A secret cannot be read, so it can be replaced, but nothing can be added to it this way. */
    private boolean canSet() {
        return before != null || mode == Mode.REPLACE;
    }

    private boolean select() throws Failure {
        // At the cursor already: an app that takes no selection can still be typed into.
        return field.select(start, end) || mode == Mode.INSERT;
    }

    private boolean pasted() throws Failure {
        try {
            // The clipboard is not put back before the app has read it.
            return field.paste(text) && isTouched();
        } finally {
            field.restoreClipboard();
        }
    }

    private boolean typed() throws Failure {
        if (text.isEmpty()) {
            field.delete();
        } else if (!field.type(text)) {
            return false;
        }
        isTouched();
        return true;
    }

    /** Waits until the field shows what was meant; {@code false} when it still is as it was before. */
    private boolean isTouched() throws Failure {
        boolean provesNothing = before == null && (secretBefore < 0 || secretWanted == secretBefore);
        if (provesNothing) {
            return true;
        }
        long latest = clock.now() + SHOWN_WITHIN_MS;
        while (!isDone() && clock.now() < latest) {
            if (!clock.waitUntil(Math.min(latest, clock.now() + LOOK_EVERY_MS))) {
                throw new Failure(Failure.CANCELLED, "typing was called off");
            }
        }
        String now = field.read();
        return isDone() || !(before == null ? field.secretLength() == secretBefore : before.equals(now));
    }

    private boolean isDone() throws Failure {
        String now = field.read();
        if (wanted != null) {
            return wanted.equals(now);
        }
        // A secret of the right length may be an old one: only a change of length proves anything.
        return secretWanted >= 0 && secretWanted != secretBefore && field.secretLength() == secretWanted;
    }

    private Outcome outcome(String method) throws Failure {
        String now = field.read();
        if (wanted != null) {
            return new Outcome(method, now, wanted.equals(now));
        }
        return new Outcome(method, null, secretWanted < 0 ? null : field.secretLength() == secretWanted);
    }

    private static int clamp(int value, int most) {
        return Math.max(0, Math.min(most, value));
    }
}
