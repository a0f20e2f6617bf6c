package android.content;

import dev.fingertip.fakes.Bridge;

/** As an app that is not in front has it: it writes, and reading gives nothing. */
public class ClipboardManager {
    public ClipData getPrimaryClip() {
        return null;
    }

    public void setPrimaryClip(ClipData clip) {
        Bridge.call("clipboard_set", "text", clip.getItemAt(0).getText().toString());
    }

    public void clearPrimaryClip() {
        Bridge.call("clipboard_set", "text", null);
    }
}
