package dev.fingertip.agent.input;

import android.view.InputDevice;
import android.view.MotionEvent;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;

/**
 * Plays a plan on the clock.
 *
 * <p>Each event carries its planned time, so that what an app measures (a speed, a long press) is what was meant even
 * when the phone was late. None is sent before its time. However it ends, no finger stays down.
 */
public final class GesturePlayer {
    /** Takes events; a test's stands in for Android's. */
    public interface Sink {
        boolean inject(MotionEvent event) throws Failure;
    }

    /** Lets a finger come down, or fails; asked for those that do so later than at the start. */
    public interface Ground {
        void mustHold(int put, float x, float y) throws Failure;
    }

    private final Clock clock;
    private final Sink sink;
    private final Ground ground;
    private int put;
    private long base;
    private long downTime;
    private GesturePlan.Step last;
    private boolean touching;
    private int sent;
    private long late;

    /** On this ground; {@code null} where fingers may come down anywhere. */
    public GesturePlayer(Clock clock, Sink sink, Ground ground) {
        this.clock = clock;
        this.sink = sink;
        this.ground = ground;
    }

    public Played play(GesturePlan plan) throws Failure {
        base = clock.now();
        try {
            for (GesturePlan.Step step : plan.steps()) {
                if (!clock.waitUntil(base + step.time)) {
                    throw new Failure(Failure.CANCELLED, "the gesture was called off");
                }
                if (step.kind == GesturePlan.Kind.DOWN) {
                    if (step.time > 0 && ground != null) {
                        ground.mustHold(put, step.x[step.changed], step.y[step.changed]);
                    }
                    put++;
                }
                late = Math.max(late, clock.now() - base - step.time);
                send(step);
            }
        } finally {
            if (touching) {
                inject(last, MotionEvent.ACTION_CANCEL, clock.now());
            }
        }
        return new Played(sent, late);
    }

    private void send(GesturePlan.Step step) throws Failure {
        boolean only = step.fingers.length == 1;
        int action = MotionEvent.ACTION_MOVE;
        if (step.kind == GesturePlan.Kind.DOWN) {
            action = only ? MotionEvent.ACTION_DOWN : pointer(MotionEvent.ACTION_POINTER_DOWN, step);
        } else if (step.kind == GesturePlan.Kind.UP) {
            action = only ? MotionEvent.ACTION_UP : pointer(MotionEvent.ACTION_POINTER_UP, step);
        }
        if (action == MotionEvent.ACTION_DOWN) {
            downTime = base + step.time;
        }
        last = step;
        // Before the call: one that fails half-way may have left the finger down.
        touching |= action == MotionEvent.ACTION_DOWN;
        if (!inject(step, action, base + step.time)) {
            throw new Failure(Failure.REFUSED, "the system did not take the touch");
        }
        touching &= action != MotionEvent.ACTION_UP;
        sent++;
    }

    private static int pointer(int action, GesturePlan.Step step) {
        return action | step.changed << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    }

    private boolean inject(GesturePlan.Step step, int action, long time) throws Failure {
        int count = step.fingers.length;
        MotionEvent.PointerProperties[] properties = new MotionEvent.PointerProperties[count];
        MotionEvent.PointerCoords[] places = new MotionEvent.PointerCoords[count];
        for (int index = 0; index < count; index++) {
            properties[index] = new MotionEvent.PointerProperties();
            properties[index].id = step.fingers[index];
            properties[index].toolType = MotionEvent.TOOL_TYPE_FINGER;
            places[index] = new MotionEvent.PointerCoords();
            places[index].x = step.x[index];
            places[index].y = step.y[index];
            places[index].pressure = action == MotionEvent.ACTION_UP ? 0 : 1;
            places[index].size = 1;
        }
        MotionEvent event = MotionEvent.obtain(
            downTime, time, action, count, properties, places,
            0, 0, 1, 1, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0);
        try {
            return sink.inject(event);
        } finally {
            event.recycle();
        }
    }
}
