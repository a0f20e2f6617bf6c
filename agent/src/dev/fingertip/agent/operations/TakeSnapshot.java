package dev.fingertip.agent.operations;

import android.os.SystemClock;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.History;
import dev.fingertip.agent.screen.TreeReader;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code snapshot}: all windows and nodes, now; or the windows alone. */
public final class TakeSnapshot implements Operation {
    /** About what a screen of 500 nodes takes. */
    private static final int USUAL_BYTES = 64 * 1024;

    private final Platform platform;
    private final UiProvider provider;
    private final Windows windows;
    private final EventLog events;
    private final History history;

    public TakeSnapshot(
            Platform platform, UiProvider provider, Windows windows, EventLog events, History history) {
        this.platform = platform;
        this.provider = provider;
        this.windows = windows;
        this.events = events;
        this.history = history;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        boolean invisible = call.fields.flag("invisible", false);
        boolean windowsOnly = call.fields.flag("windows_only", false);
        call.fields.finish();
        try (UiProvider.Lease lease = provider.take()) {
            // Before reading: what changes during the walk must not count as seen.
            Long quiet = events.quietMilliseconds();
            long count = events.count();
            TreeReader reader = new TreeReader(windows, call, invisible);
            reader.read(lease, !windowsOnly);
            JsonWriter out = new JsonWriter(USUAL_BYTES).object();
            if (!windowsOnly) {
                out.field("snapshot", history.add(reader.nodes()));
            }
            out.field("uptime_ms", SystemClock.uptimeMillis());
            out.key("quiet_ms").any(quiet);
            out.field("events", count);
            ReadScreen.write(platform, out, true);
            reader.write(out);
            return Reply.of(out.endObject());
        }
    }
}
