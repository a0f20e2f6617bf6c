package dev.fingertip.app;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.AccessibilityService.GestureResultCallback;
import android.accessibilityservice.GestureDescription;
import android.accessibilityservice.GestureDescription.StrokeDescription;
import android.graphics.Path;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlan.Stroke;
import dev.fingertip.agent.input.GesturePlayer;
import dev.fingertip.agent.input.Played;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Plays finger paths through the accessibility service.
 *
 * <p>Android takes whole paths and moves along each at one speed. Fingers that come down after others have gone up are
 * played by themselves, so that it can be seen before who lies there. A path whose waypoints are at an uneven pace (a
 * finger that stays still before it drags) is played in pieces, each at its own speed, the finger staying down between them.
 */
final class Fingers {
    /** How far from its time a waypoint may be met in a path that is played in one go. */
    private static final int TOLERANCE_MS = 16;
    /** The longest piece: a gesture that is called off ends with the piece it is in. */
    private static final int LONGEST_PIECE_MS = 2_000;
    private static final int MAX_PIECES = 64;
    /** How long beyond its own time Android may take for a piece. */
    private static final int GRACE_MS = 5_000;
    private static final int LOOK_EVERY_MS = 25;

    private final AccessibilityService service;
    private final Call call;
    private final Map<Stroke, StrokeDescription> down = new LinkedHashMap<>();
    /** Up to when the fingers that are down have come. */
    private long played;
    private int pieces;
    private long late;

    Fingers(AccessibilityService service, Call call) {
        this.service = service;
        this.call = call;
    }

    Played play(GesturePlan plan, GesturePlayer.Ground ground) throws Failure {
        check(plan);
        List<List<Stroke>> phases = phases(plan);
        for (List<Stroke> phase : phases) {
            if (ground != null && isStaggered(phase)) {
                throw new Failure(Failure.UNSUPPORTED,
                    "an app cannot see who gets a finger that comes down while another is down; nothing was touched");
            }
        }
        long begun = call.now();
        int put = 0;
        for (List<Stroke> phase : phases) {
            if (!call.waitUntil(begun + phase.get(0).start())) {
                throw new Failure(Failure.CANCELLED, "the gesture was called off");
            }
            for (Stroke stroke : phase) {
                if (ground != null && stroke.start() > 0) {
                    ground.mustHold(put, stroke.x[0], stroke.y[0]);
                }
                put++;
            }
            late = Math.max(late, call.now() - begun - phase.get(0).start());
            play(phase);
        }
        return new Played(pieces, late);
    }

    private static void check(GesturePlan plan) throws Failure {
        if (plan.fingers() > GestureDescription.getMaxStrokeCount()) {
            throw Fields.wrong("strokes", "no more than " + GestureDescription.getMaxStrokeCount() + " in an app");
        }
        for (Stroke stroke : plan.strokes()) {
            if (stroke.end() - stroke.start() > GestureDescription.getMaxGestureDuration()) {
                throw Fields.wrong("strokes", "no longer than " + GestureDescription.getMaxGestureDuration() + " ms in an app");
            }
            for (int index = 0; index < stroke.x.length; index++) {
                if (stroke.x[index] < 0 || stroke.y[index] < 0) {
                    throw Fields.wrong("strokes", "on the screen");
                }
            }
        }
    }

    /** Groups of strokes that overlap in time, in the order they begin. */
    private static List<List<Stroke>> phases(GesturePlan plan) {
        List<Stroke> strokes = new ArrayList<>(plan.strokes());
        strokes.sort((one, other) -> Long.compare(one.start(), other.start()));
        List<List<Stroke>> phases = new ArrayList<>();
        long end = -1;
        for (Stroke stroke : strokes) {
            if (stroke.start() >= end) {
                phases.add(new ArrayList<>());
            }
            phases.get(phases.size() - 1).add(stroke);
            end = Math.max(end, stroke.end());
        }
        return phases;
    }

    private static boolean isStaggered(List<Stroke> phase) {
        return phase.get(phase.size() - 1).start() > phase.get(0).start();
    }

    private void play(List<Stroke> phase) throws Failure {
        Long from = null;
        try {
            for (long to : bounds(phase)) {
                if (from != null) {
                    call.check();
                    play(phase, from, to);
                }
                from = to;
            }
        } finally {
            lift();
        }
    }

    /** The times between which every finger moves at one speed. */
    private static TreeSet<Long> bounds(List<Stroke> phase) throws Failure {
        TreeSet<Long> bounds = new TreeSet<>();
        for (Stroke stroke : phase) {
            boolean even = isEven(stroke);
            for (long time : stroke.times) {
                if (!even || time == stroke.start() || time == stroke.end()) {
                    bounds.add(time);
                }
            }
        }
        // Fingers that begin or end beside others need no piece of their own.
        if (phase.size() > 1 && allEven(phase)) {
            long first = bounds.first();
            long last = bounds.last();
            bounds.clear();
            bounds.add(first);
            bounds.add(last);
        }
        for (long time = bounds.first() + LONGEST_PIECE_MS; time < bounds.last(); time += LONGEST_PIECE_MS) {
            bounds.add(time);
        }
        if (bounds.size() > MAX_PIECES) {
            throw Fields.wrong("strokes", "fewer waypoints at an uneven pace in an app");
        }
        return bounds;
    }

    private static boolean allEven(List<Stroke> phase) {
        for (Stroke stroke : phase) {
            if (!isEven(stroke)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a finger that moves along the whole path at one speed meets every waypoint in time. */
    private static boolean isEven(Stroke stroke) {
        double[] way = new double[stroke.times.length];
        for (int index = 1; index < way.length; index++) {
            way[index] = way[index - 1]
                + Math.hypot(stroke.x[index] - stroke.x[index - 1], stroke.y[index] - stroke.y[index - 1]);
        }
        double whole = way[way.length - 1];
        long span = stroke.end() - stroke.start();
        for (int index = 1; whole > 0 && index < way.length; index++) {
            double met = stroke.start() + span * way[index] / whole;
            if (Math.abs(met - stroke.times[index]) > TOLERANCE_MS) {
                return false;
            }
        }
        return true;
    }

    private void play(List<Stroke> phase, long from, long to) throws Failure {
        GestureDescription.Builder builder = new GestureDescription.Builder();
        for (Stroke stroke : phase) {
            long start = Math.max(from, stroke.start());
            long end = Math.min(to, stroke.end());
            if (start >= end) {
                continue;
            }
            boolean goesOn = stroke.end() > to;
            StrokeDescription before = down.remove(stroke);
            Path path = path(stroke, start, end);
            StrokeDescription piece = before == null
                ? new StrokeDescription(path, start - from, end - start, goesOn)
                : before.continueStroke(path, start - from, end - start, goesOn);
            builder.addStroke(piece);
            if (goesOn) {
                down.put(stroke, piece);
            }
        }
        dispatch(builder.build(), to - from);
        played = to;
    }

    private static Path path(Stroke stroke, long start, long end) {
        Path path = new Path();
        path.moveTo(stroke.at(stroke.x, start), stroke.at(stroke.y, start));
        for (int index = 0; index < stroke.times.length; index++) {
            if (stroke.times[index] > start && stroke.times[index] < end) {
                path.lineTo(stroke.x[index], stroke.y[index]);
            }
        }
        path.lineTo(stroke.at(stroke.x, end), stroke.at(stroke.y, end));
        return path;
    }

    private void dispatch(GestureDescription gesture, long milliseconds) throws Failure {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean completed = new AtomicBoolean();
        long begun = call.now();
        boolean taken = service.dispatchGesture(gesture, new GestureResultCallback() {
            @Override
            public void onCompleted(GestureDescription description) {
                completed.set(true);
                ended.countDown();
            }

            @Override
            public void onCancelled(GestureDescription description) {
                ended.countDown();
            }
        }, null);
        pieces++;
        try {
            boolean over = false;
            while (taken && !over && call.now() < begun + milliseconds + GRACE_MS) {
                over = ended.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException stopped) {
            throw new Failure(Failure.CANCELLED, "the gesture was called off");
        }
        if (!completed.get()) {
            // Android has taken the fingers away itself.
            down.clear();
            throw new Failure(Failure.REFUSED, taken
                ? "Android called the touch off: somebody touched the screen, or it is locked"
                : "Android did not take the touch");
        }
        late = Math.max(late, call.now() - begun - milliseconds);
    }

    /** Takes fingers that a gesture left half-way off the screen. */
    private void lift() throws Failure {
        if (down.isEmpty()) {
            return;
        }
        GestureDescription.Builder builder = new GestureDescription.Builder();
        for (Map.Entry<Stroke, StrokeDescription> finger : down.entrySet()) {
            Stroke stroke = finger.getKey();
            float x = stroke.at(stroke.x, played);
            float y = stroke.at(stroke.y, played);
            Path path = new Path();
            path.moveTo(x, y);
            path.lineTo(x, y);
            builder.addStroke(finger.getValue().continueStroke(path, 0, 1, false));
        }
        down.clear();
        dispatch(builder.build(), 1);
    }
}
