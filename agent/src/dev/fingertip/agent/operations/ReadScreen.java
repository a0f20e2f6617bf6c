package dev.fingertip.agent.operations;

import dev.fingertip.agent.Platform;
import dev.fingertip.agent.screen.Screen;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code screen}: size, rotation and density as the screen is turned now. */
public final class ReadScreen implements Operation {
    private final Platform platform;

    public ReadScreen(Platform platform) {
        this.platform = platform;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        call.fields.finish();
        JsonWriter out = new JsonWriter().object();
        write(platform, out, false);
        return Reply.of(out.endObject());
    }

    /** Writes the four fields; with {@code orNothing}, as nulls where the phone does not report them. */
    static void write(Platform platform, JsonWriter out, boolean orNothing) throws Failure {
        try {
            Screen screen = platform.screen();
            out.field("width", screen.width).field("height", screen.height);
            out.field("rotation", screen.rotation).field("density", screen.density);
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
