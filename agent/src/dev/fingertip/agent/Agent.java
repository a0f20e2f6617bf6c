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
import dev.fingertip.agent.screen.Automation;
import dev.fingertip.agent.screen.Broadcast;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.History;
import dev.fingertip.agent.screen.Locator;
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
import dev.fingertip.agent.wrappers.Lookup;
import dev.fingertip.agent.wrappers.Wrappers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Everything put together, for one connection. */
final class Agent {
    /** The version of PROTOCOL.md that is spoken here. */
    static final int VERSION = 1;

    /** How often it is looked whether the host has gone silent. */
    private static final long IDLE_LOOK_MS = 1_000;

    private final Arguments arguments;
    private final int pid;
    private final Outlet outlet;
    private final Lanes lanes = new Lanes();
    private final EventLog events = new EventLog();
    private final Automation automation;
    private final Connection connection;
    private final Listener.Guest guest;

    Agent(Arguments arguments, int pid, Listener.Guest guest) throws IOException {
        this.arguments = arguments;
        this.pid = pid;
        this.guest = guest;
        outlet = new Outlet(guest.socket.getOutputStream());
        automation = new Automation(lanes, events, arguments.releaseSeconds * 1000L);
        connection = new Connection(guest.in, outlet, operations(), lanes);
    }

    /** Serves until the host goes, says quit, or goes silent. */
    void run() throws IOException {
        outlet.reply(guest.hello, hello());
        lookForSilence();
        try {
            connection.serve();
        } finally {
            try {
                automation.release();
            } catch (Failure failed) {
                System.err.println("could not give UiAutomation back: " + failed.getMessage());
            }
        }
    }

    private Map<String, Operation> operations() {
        Broadcast broadcast = new Broadcast(outlet);
        events.tell(broadcast);
        Windows windows = new Windows();
        History history = new History();
        Locator locator = new Locator(windows);
        Map<String, Operation> all = new HashMap<>();
        all.put("snapshot", new TakeSnapshot(automation, windows, events, history));
        all.put("act", new ActOnNode(automation, history, locator));
        all.put("text", new EnterText(automation, windows, history, locator));
        all.put("gesture", new PlayGesture(automation, windows));
        all.put("key", new PressKey());
        all.put("clipboard_get", new ReadClipboard());
        all.put("clipboard_set", new WriteClipboard());
        all.put("screenshot", new TakeScreenshot(automation));
        all.put("global", new GlobalAction(automation));
        all.put("screen", new ReadScreen());
        all.put("foreground", new ReadForeground(automation, windows));
        all.put("secure_windows", new ReadSecureWindows(automation));
        all.put("wait_idle", new WaitIdle(automation, events));
        all.put("subscribe", new Subscribe(automation, events, broadcast));
        all.put("release", simple(Operation.Lane.LOOKING, this::release));
        all.put("ping", simple(Operation.Lane.AT_ONCE, this::ping));
        all.put("cancel", simple(Operation.Lane.AT_ONCE, this::cancel));
        all.put("quit", simple(Operation.Lane.AT_ONCE, this::quit));
        return all;
    }

    private Reply hello() {
        JsonWriter out = new JsonWriter().object().field("version", VERSION).field("build", arguments.build);
        out.field("sdk", Build.VERSION.SDK_INT).field("pid", pid);
        out.key("limits").object().field("frame", Frame.MAX_INCOMING).field("pointers", GesturePlan.MAX_FINGERS);
        out.field("in_flight", Connection.MAX_IN_FLIGHT).field("snapshots", History.KEPT).endObject();
        out.key("failed").array();
        for (Lookup<?> wrapper : Wrappers.all()) {
            if (wrapper.failure() != null) {
                out.object().field("wrapper", wrapper.name).field("message", wrapper.failure()).endObject();
            }
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
        return Reply.of(new JsonWriter().object().field("released", automation.release()).endObject());
    }

    private Reply quit(Call call) throws Failure, IOException {
        call.fields.finish();
        call.reply(Reply.DONE);
        guest.socket.shutdownInput();
        return Reply.DONE;
    }

    private void lookForSilence() {
        lanes.later(IDLE_LOOK_MS, () -> {
            if (connection.idleMilliseconds() < arguments.idleSeconds * 1000L) {
                lookForSilence();
                return;
            }
            try {
                guest.socket.shutdownInput();
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
