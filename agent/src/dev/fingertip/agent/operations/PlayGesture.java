package dev.fingertip.agent.operations;

import dev.fingertip.agent.Platform;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.Played;
import dev.fingertip.agent.screen.Receivers;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.util.List;

/** {@code gesture}: finger paths over time. */
public final class PlayGesture implements Operation {
    private static final int USUAL_STEP_MS = 8;
    private static final int MAX_STEP_MS = 100;

    private final Platform platform;
    private final UiProvider provider;
    private final Windows windows;

    public PlayGesture(Platform platform, UiProvider provider, Windows windows) {
        this.platform = platform;
        this.provider = provider;
        this.windows = windows;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        List<?> strokes = call.fields.list("strokes");
        int step = call.fields.integer("step_ms", 1, MAX_STEP_MS, USUAL_STEP_MS);
        List<String> packages = Receivers.meant(call.fields);
        call.fields.finish();
        GesturePlan plan = GesturePlan.of(strokes, step);
        Played played;
        // Taken before the first finger comes down: without it nothing is done.
        try (UiProvider.Lease lease = !packages.isEmpty() && plan.hasLater() ? provider.take() : null) {
            Receivers receivers = new Receivers(packages, windows, lease, call);
            played = platform.play(plan, receivers.isAnyone() ? null : (put, x, y) ->
                receivers.mustLieAt(x, y, "Put down " + put + " of " + plan.fingers() + " fingers"), call);
        }
        JsonWriter out = new JsonWriter().object().field("events", played.events).field("late_ms", played.late);
        return Reply.of(out.endObject());
    }
}
