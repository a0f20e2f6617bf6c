package dev.fingertip.agent.operations;

import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import dev.fingertip.agent.wrappers.DisplayAccess;

/** {@code screen}: size, rotation and density as the screen is turned now. */
public final class ReadScreen implements Operation {
    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        call.fields.finish();
        JsonWriter out = new JsonWriter().object();
        write(out, false);
        return Reply.of(out.endObject());
    }

    /** Writes the four fields; with {@code orNothing}, as nulls where the phone does not tell. */
    static void write(JsonWriter out, boolean orNothing) throws Failure {
        try {
            DisplayAccess.Facts facts = DisplayAccess.LOOKUP.get().read();
            out.field("width", facts.width).field("height", facts.height);
            out.field("rotation", facts.rotation).field("density", facts.density);
        } catch (Failure hidden) {
            if (!orNothing) {
                throw hidden;
            }
            for (String name : new String[] {"width", "height", "rotation", "density"}) {
                out.key(name).nothing();
            }
        }
    }
}
