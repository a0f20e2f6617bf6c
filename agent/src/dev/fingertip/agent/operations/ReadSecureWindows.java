package dev.fingertip.agent.operations;

import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.WindowDump;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.io.IOException;

/** {@code secure_windows}: which windows withhold their pixels from pictures. */
public final class ReadSecureWindows implements Operation {
    private final UiProvider provider;

    public ReadSecureWindows(UiProvider provider) {
        this.provider = provider;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure, IOException {
        call.fields.finish();
        try (UiProvider.Lease lease = provider.take()) {
            WindowDump dump = WindowDump.windows(lease.ui());
            if (dump == null) {
                throw new Failure(Failure.UNAVAILABLE, "an app is not told which windows are secure");
            }
            JsonWriter out = new JsonWriter().object().key("windows").array();
            for (String name : dump.secureWindows()) {
                out.object().field("name", name).field("package", WindowDump.packageOf(name)).endObject();
            }
            return Reply.of(out.endArray().endObject());
        }
    }
}
