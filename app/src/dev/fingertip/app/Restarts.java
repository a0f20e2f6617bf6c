package dev.fingertip.app;

/**
 * When a server that died is started again: soon, later each time, and not at all after a few times in a row.
 *
 * <p>One that has served for a while before it died counts as the first again.
 */
final class Restarts {
    private static final long FIRST_PAUSE_MS = 1_000;
    private static final int MOST = 4;
    private static final long PROVEN_AFTER_MS = 60_000;

    private final long firstPause;
    private final long provenAfter;
    private int inRow;

    Restarts() {
        this(FIRST_PAUSE_MS, PROVEN_AFTER_MS);
    }

    /** With other times, for tests. */
    Restarts(long firstPause, long provenAfter) {
        this.firstPause = firstPause;
        this.provenAfter = provenAfter;
    }

    /** How long to wait before the next start, after one that lived so long; -1 for none. */
    long pauseAfter(long livedMs) {
        if (livedMs >= provenAfter) {
            inRow = 0;
        }
        return inRow == MOST ? -1 : firstPause << inRow++;
    }

    /** The user began anew. */
    void forget() {
        inRow = 0;
    }
}
