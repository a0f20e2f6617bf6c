package dev.fingertip.agent.text;

import android.content.ClipData;
import android.content.ClipDescription;
import android.os.PersistableBundle;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wrappers.ClipboardAccess;

/** Borrows the clipboard: remembers what was on it, whole, and puts that back. */
final class SavedClip {
    private ClipData before;
    private boolean borrowed;

    /** Puts a text there; a secret one is marked, so that Android does not show it. */
    void put(String text, boolean secret) throws Failure {
        ClipboardAccess clipboard = ClipboardAccess.LOOKUP.get();
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
    }

    void restore() throws Failure {
        if (borrowed) {
            borrowed = false;
            ClipboardAccess.LOOKUP.get().set(before);
        }
    }
}
