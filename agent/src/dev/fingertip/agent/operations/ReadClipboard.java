package dev.fingertip.agent.operations;

import android.content.ClipData;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code clipboard_get}: the text on the clipboard. */
public final class ReadClipboard implements Operation {
    private final Platform platform;

    public ReadClipboard(Platform platform) {
        this.platform = platform;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        call.fields.finish();
        return Reply.of(new JsonWriter().object().field("text", text(platform.clipboard())).endObject());
    }

    /** {@code null} when it is empty, or holds something that is no text. */
    static String text(Clipboard clipboard) throws Failure {
        ClipData clip = clipboard.get();
        if (clip == null || clip.getItemCount() == 0) {
            return null;
        }
        CharSequence text = clip.getItemAt(0).getText();
        return text == null ? null : text.toString();
    }
}
