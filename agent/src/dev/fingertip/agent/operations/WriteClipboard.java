package dev.fingertip.agent.operations;

import android.content.ClipData;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import dev.fingertip.agent.wrappers.ClipboardAccess;
import java.util.Objects;

/** {@code clipboard_set}: puts a text on the clipboard, or empties it, and looks whether it is there. */
public final class WriteClipboard implements Operation {
    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        String text = call.fields.optionalText("text");
        call.fields.finish();
        ClipboardAccess.LOOKUP.get().set(text == null ? null : ClipData.newPlainText(null, text));
        if (!Objects.equals(text, ReadClipboard.text())) {
            throw new Failure(Failure.REFUSED, "the clipboard does not hold what was put there");
        }
        return Reply.DONE;
    }
}
