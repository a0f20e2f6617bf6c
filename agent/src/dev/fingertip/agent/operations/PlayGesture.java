package dev.fingertip.agent.operations;

import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlayer;
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

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        List<?> strokes = call.fields.list("strokes");
        int step = call.fields.integer("step_ms", 1, MAX_STEP_MS, USUAL_STEP_MS);
        call.fields.finish();
        GesturePlan plan = GesturePlan.of(strokes, step);
        InputAccess input = InputAccess.LOOKUP.get();
        GesturePlayer player = new GesturePlayer(call, event -> input.inject(event, InputAccess.WAIT_FOR_RESULT));
        player.play(plan);
        JsonWriter out = new JsonWriter().object().field("events", player.sent).field("late_ms", player.late);
        return Reply.of(out.endObject());
    }
}
