package dev.fingertip.agent.operations;

import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlayer;
import dev.fingertip.agent.screen.Automation;
import dev.fingertip.agent.screen.Receivers;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import dev.fingertip.agent.wrappers.InputAccess;
import java.util.List;

/** {@code gesture}: finger paths over time. */
public final class PlayGesture implements Operation {
    private static final int USUAL_STEP_MS = 8;
    private static final int MAX_STEP_MS = 100;

    private final Automation automation;
    private final Windows windows;

    public PlayGesture(Automation automation, Windows windows) {
        this.automation = automation;
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
        InputAccess input = InputAccess.LOOKUP.get();
        GesturePlayer.Sink sink = event -> input.inject(event, InputAccess.WAIT_FOR_RESULT);
        GesturePlayer player;
        // Taken before the first finger comes down: without it nothing is done.
        try (Automation.Lease lease = !packages.isEmpty() && plan.hasLater() ? automation.take() : null) {
            Receivers receivers = new Receivers(packages, windows, lease, call);
            player = new GesturePlayer(call, sink, (put, x, y) ->
                receivers.mustLieAt(x, y, "Put down " + put + " of " + plan.fingers() + " fingers"));
            player.play(plan);
        }
        JsonWriter out = new JsonWriter().object().field("events", player.sent).field("late_ms", player.late);
        return Reply.of(out.endObject());
    }
}
