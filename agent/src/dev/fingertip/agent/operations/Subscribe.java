package dev.fingertip.agent.operations;

import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Broadcast;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.util.List;

/** {@code subscribe}: which events are to be sent from now on. */
public final class Subscribe implements Operation {
    private static final int MAX_HOLD_MS = 600_000;

    private final UiProvider provider;
    private final EventLog events;
    private final Broadcast broadcast;

    public Subscribe(UiProvider provider, EventLog events, Broadcast broadcast) {
        this.provider = provider;
        this.events = events;
        this.broadcast = broadcast;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        List<?> wanted = call.fields.list("events");
        int hold = call.fields.integer("hold_ms", 0, MAX_HOLD_MS, 0);
        call.fields.finish();
        for (Object name : wanted) {
            if (!"change".equals(name) && !"toast".equals(name)) {
                throw Fields.wrong("events", "a list of \"change\" and \"toast\"");
            }
        }
        if (wanted.isEmpty()) {
            broadcast.want(false, false);
            return reply();
        }
        try (UiProvider.Lease lease = provider.take()) {
            provider.keepFor(hold);
            broadcast.want(wanted.contains("change"), wanted.contains("toast"));
            return reply();
        }
    }

    private Reply reply() {
        return Reply.of(new JsonWriter().object().field("events", events.count()).endObject());
    }
}
