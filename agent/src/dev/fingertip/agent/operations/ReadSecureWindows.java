package dev.fingertip.agent.operations;

import dev.fingertip.agent.screen.Automation;
import dev.fingertip.agent.screen.WindowDump;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.io.IOException;

/** {@code secure_windows}: which windows withhold their pixels from pictures. */
public final class ReadSecureWindows implements Operation {
    private final Automation automation;

    public ReadSecureWindows(Automation automation) {
        this.automation = automation;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure, IOException {
        call.fields.finish();
        try (Automation.Lease lease = automation.take()) {
            JsonWriter out = new JsonWriter().object().key("windows").array();
            for (String name : WindowDump.windows(lease.ui).secureWindows()) {
                out.object().field("name", name).field("package", WindowDump.packageOf(name)).endObject();
            }
            return Reply.of(out.endArray().endObject());
        }
    }
}
