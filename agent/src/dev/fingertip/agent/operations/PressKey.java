package dev.fingertip.agent.operations;

import dev.fingertip.agent.Platform;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code key}: one key, down and up. */
public final class PressKey implements Operation {
    private static final int MAX_CODE = 1023;
    private static final int MAX_HOLD_MS = 60_000;

    private final Platform platform;

    public PressKey(Platform platform) {
        this.platform = platform;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        int code = call.fields.integer("code", 1, MAX_CODE);
        int meta = call.fields.integer("meta", 0, Integer.MAX_VALUE, 0);
        int hold = call.fields.integer("hold_ms", 0, MAX_HOLD_MS, 0);
        call.fields.finish();
        platform.keyboard(call, null).press(code, meta, hold);
        return Reply.DONE;
    }
}
