package dev.fingertip.agent;

import android.os.Build;
import android.os.SystemClock;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.operations.ActOnNode;
import dev.fingertip.agent.operations.GlobalAction;
import dev.fingertip.agent.operations.PlayGesture;
import dev.fingertip.agent.operations.PressKey;
import dev.fingertip.agent.operations.ReadClipboard;
import dev.fingertip.agent.operations.ReadForeground;
import dev.fingertip.agent.operations.ReadScreen;
import dev.fingertip.agent.operations.ReadSecureWindows;
import dev.fingertip.agent.operations.Subscribe;
import dev.fingertip.agent.operations.TakeScreenshot;
import dev.fingertip.agent.operations.TakeSnapshot;
import dev.fingertip.agent.operations.WaitIdle;
import dev.fingertip.agent.operations.WriteClipboard;
import dev.fingertip.agent.screen.Broadcast;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.History;
import dev.fingertip.agent.screen.Locator;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.text.EnterText;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Connection;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Frame;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Lanes;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Outlet;
import dev.fingertip.agent.wire.Reply;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Everything put together, for one connection. */
public final class Agent {
    /** The version of PROTOCOL.md that is spoken here. */
    public static final int VERSION = 1;

    /** How often it is looked whether the host has gone silent. */
    private static final long IDLE_LOOK_MS = 1_000;

    private final Platform platform;
    private final String build;
    private final long idleMs;
    private final int pid;
    private final Outlet outlet;
    private final Lanes lanes = new Lanes();
    private final EventLog events = new EventLog();
    private final Broadcast broadcast;
    private final UiProvider provider;
    private final Connection connection;
    private final Host host;

    /** For this host, which is hung up on after so long without a request. */
    public Agent(Platform platform, String build, long idleMs, int pid, Host host) {
        this.platform = platform;
        this.build = build;
        this.idleMs = idleMs;
        this.pid = pid;
        this.host = host;
        outlet = new Outlet(host.out);
        broadcast = new Broadcast(outlet);
        provider = platform.provider(lanes, events);
        connection = new Connection(host.in, outlet, operations(), lanes);
    }

    /** Serves until the host goes, says quit, or goes silent. */
    public void run() throws IOException {
        try {
            outlet.reply(host.hello, hello());
            lookForSilence();
            connection.serve();
        } finally {
            try {
                provider.release();
            } catch (Failure failed) {
                System.err.println("could not give UiAutomation back: " + failed.getMessage());
            }
            events.tell(null);
            broadcast.end();
            lanes.end();
        }
    }

    private Map<String, Operation> operations() {
        events.tell(broadcast);
        Windows windows = new Windows();
        History history = new History();
        Locator locator = new Locator(windows);
        Map<String, Operation> all = new HashMap<>();
        all.put("snapshot", new TakeSnapshot(platform, provider, windows, events, history));
        all.put("act", new ActOnNode(provider, history, locator));
        all.put("text", new EnterText(platform, provider, windows, history, locator));
        all.put("gesture", new PlayGesture(platform, provider, windows));
        all.put("key", new PressKey(platform));
        all.put("clipboard_get", new ReadClipboard(platform));
        all.put("clipboard_set", new WriteClipboard(platform));
        all.put("screenshot", new TakeScreenshot(provider));
        all.put("global", new GlobalAction(provider));
        all.put("screen", new ReadScreen(platform));
        all.put("foreground", new ReadForeground(provider, windows));
        all.put("secure_windows", new ReadSecureWindows(provider));
        all.put("wait_idle", new WaitIdle(provider, events));
        all.put("subscribe", new Subscribe(provider, events, broadcast));
        all.put("release", simple(Operation.Lane.LOOKING, this::release));
        all.put("ping", simple(Operation.Lane.AT_ONCE, this::ping));
        all.put("cancel", simple(Operation.Lane.AT_ONCE, this::cancel));
        all.put("quit", simple(Operation.Lane.AT_ONCE, this::quit));
        return all;
    }

    private Reply hello() {
        JsonWriter out = new JsonWriter().object().field("version", VERSION).field("build", build);
        out.field("sdk", Build.VERSION.SDK_INT).field("pid", pid);
        out.field("model", Build.MODEL).field("release", Build.VERSION.RELEASE);
        out.key("limits").object().field("frame", Frame.MAX_INCOMING).field("pointers", GesturePlan.MAX_FINGERS);
        out.field("in_flight", Connection.MAX_IN_FLIGHT).field("snapshots", History.KEPT).endObject();
        out.key("failed").array();
        for (Map.Entry<String, String> missing : platform.missing().entrySet()) {
            out.object().field("wrapper", missing.getKey()).field("message", missing.getValue()).endObject();
        }
        return Reply.of(out.endArray().endObject());
    }

    private Reply ping(Call call) throws Failure {
        call.fields.finish();
        return Reply.of(new JsonWriter().object().field("uptime_ms", SystemClock.uptimeMillis()).endObject());
    }

    private Reply cancel(Call call) throws Failure, IOException {
        int request = call.fields.request("request");
        call.fields.finish();
        boolean cancelled = request != call.request && connection.cancel(request);
        return Reply.of(new JsonWriter().object().field("cancelled", cancelled).endObject());
    }

    private Reply release(Call call) throws Failure {
        call.fields.finish();
        return Reply.of(new JsonWriter().object().field("released", provider.release()).endObject());
    }

    private Reply quit(Call call) throws Failure, IOException {
        call.fields.finish();
        call.reply(Reply.DONE);
        host.hangUp.close();
        return Reply.DONE;
    }

    private void lookForSilence() {
        lanes.later(IDLE_LOOK_MS, () -> {
            if (connection.idleMilliseconds() < idleMs) {
                lookForSilence();
                return;
            }
            try {
                host.hangUp.close();
            } catch (IOException gone) {
                // Then the reading side has noticed already.
            }
        });
    }

    private interface Work {
        Reply run(Call call) throws Failure, IOException;
    }

    private static Operation simple(Operation.Lane lane, Work work) {
        return new Operation() {
            @Override
            public Lane lane() {
                return lane;
            }

            @Override
            public Reply run(Call call) throws Failure, IOException {
                return work.run(call);
            }
        };
    }
}
