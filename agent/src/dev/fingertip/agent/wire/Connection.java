package dev.fingertip.agent.wire;

import android.os.SystemClock;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;

/**
 * The one connection to the host, after its hello: reads requests and sends them down their lanes.
 *
 * <p>Every request is answered once, by its deadline at the latest, even when Android does not return from a call.
 */
public final class Connection {
    /** The most requests that may be unanswered at once. */
    public static final int MAX_IN_FLIGHT = 64;
    /** A request that names no time of its own. */
    public static final int DEFAULT_TIMEOUT_MS = 10_000;
    public static final int MAX_TIMEOUT_MS = 600_000;
    /** What an operation that keeps its own deadline may take beyond it. */
    private static final int GRACE_MS = 1_000;
    /** How long a gesture may take to lift its fingers at the end. */
    private static final int FAREWELL_MS = 1_000;

    private final DataInputStream in;
    private final Outlet outlet;
    private final Map<String, Operation> operations;
    private final Lanes lanes;
    private final Map<Integer, Call> inFlight = new ConcurrentHashMap<>();
    private volatile long lastRequest = SystemClock.uptimeMillis();

    public Connection(DataInputStream in, Outlet outlet, Map<String, Operation> operations, Lanes lanes) {
        this.in = in;
        this.outlet = outlet;
        this.operations = operations;
        this.lanes = lanes;
    }

    /** Serves until the other side closes or breaks the rules. */
    public void serve() throws IOException {
        try {
            for (Frame frame = Frame.read(in); frame != null; frame = Frame.read(in)) {
                lastRequest = SystemClock.uptimeMillis();
                start(frame);
            }
        } finally {
            for (Call call : inFlight.values()) {
                call.finish();
            }
            lanes.awaitActing(FAREWELL_MS);
        }
    }

    /** How long nothing was asked; zero while something is unanswered. */
    public long idleMilliseconds() {
        return inFlight.isEmpty() ? SystemClock.uptimeMillis() - lastRequest : 0;
    }

    /** Calls off a request that is unanswered. */
    public boolean cancel(int request) throws IOException {
        Call call = inFlight.get(request);
        if (call == null || !call.fail(new Failure(Failure.CANCELLED, "cancelled by the host"))) {
            return false;
        }
        // Answered, so it does not count any more, even if it still waits for its lane.
        inFlight.remove(request, call);
        return true;
    }

    /** The JSON object of a request. */
    public static Map<String, Object> object(Frame frame) throws Frame.Malformed {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(frame.payload)).toString();
            return Json.parseObject(text);
        } catch (CharacterCodingException | Json.Malformed wrong) {
            throw new Frame.Malformed("a request that is no JSON object: " + wrong.getMessage());
        }
    }

    private void start(Frame frame) throws IOException {
        Fields fields = new Fields(object(frame));
        Call call;
        Operation operation;
        try {
            String name = fields.text("op");
            long timeout = fields.integer("timeout_ms", 1, MAX_TIMEOUT_MS, DEFAULT_TIMEOUT_MS);
            call = new Call(frame.request, fields, lastRequest + timeout, outlet);
            operation = operations.get(name);
            if (operation == null) {
                throw new Failure(Failure.UNKNOWN_OPERATION, "there is no operation \"" + name + "\"");
            }
            // What is answered at once ends requests or asks after them, and must work then above all.
            if (operation.lane() != Operation.Lane.AT_ONCE && inFlight.size() >= MAX_IN_FLIGHT) {
                throw new Failure(Failure.OVERLOADED, MAX_IN_FLIGHT + " requests are in flight already");
            }
        } catch (Failure wrong) {
            outlet.error(frame.request, wrong);
            return;
        }
        if (inFlight.putIfAbsent(frame.request, call) != null) {
            throw new Frame.Malformed("request " + frame.request + " is in flight already");
        }
        boolean keepsDeadline = operation.lane() == Operation.Lane.WAITING;
        long latest = call.deadline - lastRequest + (keepsDeadline ? GRACE_MS : 0);
        ScheduledFuture<?> alarm = lanes.later(latest, () -> expire(call));
        lanes.run(operation.lane(), () -> run(call, operation, alarm));
    }

    private void run(Call call, Operation operation, ScheduledFuture<?> alarm) {
        try {
            if (!call.isOver()) {
                call.reply(operation.run(call));
            }
        } catch (IOException broken) {
            // The reading side notices the same and ends everything.
        } catch (Exception | Error thrown) {
            // Errors too: a tree too deep for the stack must cost one request, not the answer to it.
            fail(call, Failure.of(thrown));
        } finally {
            alarm.cancel(false);
            inFlight.remove(call.request, call);
        }
    }

    private void expire(Call call) {
        fail(call, new Failure(Failure.TIMEOUT, "it took longer than the request allows"));
        inFlight.remove(call.request, call);
    }

    private static void fail(Call call, Failure failure) {
        try {
            call.fail(failure);
        } catch (IOException broken) {
            // As above: the reading side ends the connection.
        }
    }
}
