package dev.fingertip.agent.operations;

import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code wait_idle}: until nothing has changed for a while. That it never became idle is an answer, not an error. */
public final class WaitIdle implements Operation {
    private static final int MAX_QUIET_MS = 60_000;

    private final UiProvider provider;
    private final EventLog events;

    public WaitIdle(UiProvider provider, EventLog events) {
        this.provider = provider;
        this.events = events;
    }

    @Override
    public Lane lane() {
        return Lane.WAITING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        int wanted = call.fields.integer("quiet_ms", 1, MAX_QUIET_MS);
        call.fields.finish();
        try (UiProvider.Lease lease = provider.take()) {
            long before = events.count();
            long restAt = events.quietSince() + wanted;
            while (call.now() < Math.min(restAt, call.deadline)) {
                call.waitUntil(Math.min(restAt, call.deadline));
                call.check();
                restAt = events.quietSince() + wanted;
            }
            JsonWriter out = new JsonWriter().object().field("idle", call.now() >= restAt);
            out.field("quiet_ms", call.now() - events.quietSince()).field("events", events.count() - before);
            return Reply.of(out.endObject());
        }
    }
}
