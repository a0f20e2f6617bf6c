package dev.fingertip.agent.text;

import android.content.ClipData;
import dev.fingertip.agent.wire.Failure;

/** The phone's clipboard. */
public interface Clipboard {
    /** Whether it may be read, and so put back after it was used. */
    boolean isReadable();

    /** {@code null} when it is empty; {@code unavailable} where it may not be read. */
    ClipData get() throws Failure;

    /** {@code null} empties it. */
    void set(ClipData clip) throws Failure;
}
