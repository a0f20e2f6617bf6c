package dev.fingertip.agent.screen;

import dev.fingertip.agent.wire.Failure;

/** Hands the screen out while it is used. */
public interface UiProvider {
    /** The right to use it until closed. */
    interface Lease extends AutoCloseable {
        Ui ui();

        /** Whether that was not asked yet since the screen was taken: its list of windows may not be whole. */
        boolean isFresh();

        @Override
        void close();
    }

    /** Takes it. {@code busy} when another tool has it, {@code switched_off} when the user has not given it. */
    Lease take() throws Failure;

    /** Keeps it for so long, used or not. */
    void keepFor(long milliseconds);

    /** Gives it back, unless it is in use; {@code false} when it was not held, is in use, or is never given back. */
    boolean release() throws Failure;
}
