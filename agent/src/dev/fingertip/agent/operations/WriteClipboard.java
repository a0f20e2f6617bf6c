package dev.fingertip.agent.operations;

import android.content.ClipData;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.util.Objects;

/** {@code clipboard_set}: puts a text on the clipboard, or empties it, and looks whether it is there, where it may be read. */
public final class WriteClipboard implements Operation {
    private final Platform platform;

    public WriteClipboard(Platform platform) {
        this.platform = platform;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        String text = call.fields.optionalText("text");
        call.fields.finish();
        Clipboard clipboard = platform.clipboard();
        clipboard.set(text == null ? null : ClipData.newPlainText(null, text));
        if (!clipboard.isReadable()) {
            return Reply.DONE;
        }
        String held = ReadClipboard.text(clipboard);
        boolean emptied = text == null && (held == null || held.isEmpty());
        if (!emptied && !Objects.equals(text, held)) {
            throw new Failure(Failure.REFUSED, "the clipboard does not hold what was put there");
        }
        return Reply.DONE;
    }
}
