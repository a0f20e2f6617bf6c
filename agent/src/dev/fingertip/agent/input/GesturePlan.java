package dev.fingertip.agent.input;

import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * What each finger does at each moment, worked out before the first event is sent.
 *
 * <p>Pure: paths in, steps out. Every waypoint is met at its exact time and place; between two of them the finger
 * moves evenly. At one moment moves come first, then ups, then downs, so that a finger's number can be used again. A
 * finger that stays still sends nothing.
 */
public final class GesturePlan {
    /** The most fingers down at once. */
    public static final int MAX_FINGERS = 10;
    static final int MAX_STROKES = 64;
    static final int MAX_WAYPOINTS = 20_000;
    static final int MAX_MILLISECONDS = 600_000;
    /** The most steps a plan may have. */
    static final int MAX_STEPS = 100_000;

    /** What happens in a step. */
    enum Kind {
        DOWN,
        MOVE,
        UP
    }

    /** One event: all fingers that are down, and which of them came or goes. */
    static final class Step {
        final Kind kind;
        final long time;
        /** The place in {@link #fingers} of the one that came or goes; 0 for moves. */
        final int changed;
        final int[] fingers;
        final float[] x;
        final float[] y;

        Step(Kind kind, long time, int changed, int[] fingers, float[] x, float[] y) {
            this.kind = kind;
            this.time = time;
            this.changed = changed;
            this.fingers = fingers;
            this.x = x;
            this.y = y;
        }
    }

    /** One finger: where it is at which times, in milliseconds from the start. */
    public static final class Stroke {
        public final long[] times;
        public final float[] x;
        public final float[] y;
        /** The number of its finger while it is down, -1 otherwise. */
        int finger = -1;
        /** Where it was when last sent. */
        float sentX;
        float sentY;

        Stroke(int points) {
            times = new long[points];
            x = new float[points];
            y = new float[points];
        }

        public long start() {
            return times[0];
        }

        public long end() {
            return times[times.length - 1];
        }

        boolean hasMoved(long time) {
            return at(x, time) != sentX || at(y, time) != sentY;
        }

        /** Where it is between its first and its last time. */
        public float at(float[] places, long time) {
            int next = Arrays.binarySearch(times, time);
            if (next >= 0) {
                return places[next];
            }
            next = -next - 1;
            double share = (double) (time - times[next - 1]) / (times[next] - times[next - 1]);
            return (float) (places[next - 1] + (places[next] - places[next - 1]) * share);
        }
    }

    private final List<Stroke> strokes = new ArrayList<>();
    private final List<Stroke> down = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();

    /** Works the paths of a request out, one step every {@code every} milliseconds. */
    public static GesturePlan of(List<?> paths, int every) throws Failure {
        GesturePlan plan = new GesturePlan();
        plan.read(paths);
        plan.work(every);
        return plan;
    }

    public List<Stroke> strokes() {
        return strokes;
    }

    /** How many fingers come down. */
    public int fingers() {
        return strokes.size();
    }

    /** Whether one comes down later than at the start. */
    public boolean hasLater() {
        for (Stroke stroke : strokes) {
            if (stroke.start() > 0) {
                return true;
            }
        }
        return false;
    }

    List<Step> steps() {
        return steps;
    }

    private void read(List<?> paths) throws Failure {
        if (paths.isEmpty() || paths.size() > MAX_STROKES) {
            throw Fields.wrong("strokes", "a list of 1 to " + MAX_STROKES + " strokes");
        }
        int waypoints = 0;
        for (Object path : paths) {
            if (!(path instanceof List) || ((List<?>) path).size() < 2) {
                throw Fields.wrong("strokes", "lists of two waypoints or more");
            }
            List<?> points = (List<?>) path;
            waypoints += points.size();
            if (waypoints > MAX_WAYPOINTS) {
                throw Fields.wrong("strokes", "no more than " + MAX_WAYPOINTS + " waypoints");
            }
            Stroke stroke = new Stroke(points.size());
            for (int index = 0; index < points.size(); index++) {
                readPoint(stroke, index, points.get(index));
            }
            strokes.add(stroke);
        }
    }

    private static void readPoint(Stroke stroke, int index, Object point) throws Failure {
        boolean whole = point instanceof List && ((List<?>) point).size() == 3;
        if (whole) {
            for (Object number : (List<?>) point) {
                whole &= number instanceof Number;
            }
        }
        if (!whole) {
            throw Fields.wrong("strokes", "waypoints [ms, x, y]");
        }
        long time = Math.round(((Number) ((List<?>) point).get(0)).doubleValue());
        if (time < 0 || time > MAX_MILLISECONDS || index > 0 && time <= stroke.times[index - 1]) {
            throw Fields.wrong("strokes", "at growing times from 0 to " + MAX_MILLISECONDS);
        }
        stroke.times[index] = time;
        stroke.x[index] = ((Number) ((List<?>) point).get(1)).floatValue();
        stroke.y[index] = ((Number) ((List<?>) point).get(2)).floatValue();
    }

    private void work(int every) throws Failure {
        for (long time : moments(every)) {
            boolean moved = false;
            for (Stroke stroke : strokes) {
                moved |= stroke.finger >= 0 && stroke.hasMoved(time);
            }
            if (moved) {
                add(Kind.MOVE, time, null);
            }
            for (Stroke stroke : strokes) {
                if (stroke.end() == time) {
                    add(Kind.UP, time, stroke);
                    down.remove(stroke);
                    stroke.finger = -1;
                }
            }
            for (Stroke stroke : strokes) {
                if (stroke.start() == time) {
                    put(stroke);
                    add(Kind.DOWN, time, stroke);
                }
            }
        }
    }

    /** All times at which something is sent: the waypoints, and an even grid while a finger is down. */
    private TreeSet<Long> moments(int every) throws Failure {
        TreeSet<Long> moments = new TreeSet<>();
        for (Stroke stroke : strokes) {
            for (long time : stroke.times) {
                moments.add(time);
            }
            for (long time = stroke.start() + every; time < stroke.end(); time += every) {
                moments.add(time);
                if (moments.size() > MAX_STEPS) {
                    throw Fields.wrong("step_ms", "larger for a gesture of this length");
                }
            }
        }
        return moments;
    }

    private void put(Stroke stroke) throws Failure {
        boolean[] taken = new boolean[MAX_FINGERS];
        for (Stroke other : down) {
            taken[other.finger] = true;
        }
        for (int finger = 0; finger < MAX_FINGERS; finger++) {
            if (!taken[finger]) {
                stroke.finger = finger;
                down.add(stroke);
                return;
            }
        }
        throw Fields.wrong("strokes", "no more than " + MAX_FINGERS + " fingers at once");
    }

    private void add(Kind kind, long time, Stroke changed) {
        int[] fingers = new int[down.size()];
        float[] x = new float[fingers.length];
        float[] y = new float[fingers.length];
        for (int index = 0; index < fingers.length; index++) {
            Stroke stroke = down.get(index);
            fingers[index] = stroke.finger;
            stroke.sentX = stroke.at(stroke.x, time);
            stroke.sentY = stroke.at(stroke.y, time);
            x[index] = stroke.sentX;
            y[index] = stroke.sentY;
        }
        steps.add(new Step(kind, time, Math.max(0, down.indexOf(changed)), fingers, x, y));
    }
}
