package dev.fingertip.agent.text;

import android.content.ClipData;
import android.content.ClipDescription;
import android.os.PersistableBundle;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.wire.Failure;

/** Borrows the clipboard: remembers what was on it, whole, and puts that back. */
final class SavedClip {
    private final Platform platform;
    private ClipData before;
    private boolean borrowed;

    SavedClip(Platform platform) {
        this.platform = platform;
    }

    /**
     * Puts a text there; a secret one is marked, so that Android does not show it. {@code false}, with nothing done,
     * where the clipboard may not be read: what was on it could not be put back.
     */
    boolean put(String text, boolean secret) throws Failure {
        Clipboard clipboard = platform.clipboard();
        if (!clipboard.isReadable()) {
            return false;
        }
        if (!borrowed) {
            before = clipboard.get();
            borrowed = true;
        }
        ClipData clip = ClipData.newPlainText(null, text);
        if (secret) {
            PersistableBundle extras = new PersistableBundle();
            extras.putBoolean(ClipDescription.EXTRA_IS_SENSITIVE, true);
            clip.getDescription().setExtras(extras);
        }
        clipboard.set(clip);
        return true;
    }

    void restore() throws Failure {
        if (borrowed) {
            borrowed = false;
            platform.clipboard().set(before);
        }
    }
}
