package android.accessibilityservice;

import android.graphics.Path;
import java.util.ArrayList;
import java.util.List;

public final class GestureDescription {
    private final List<StrokeDescription> strokes = new ArrayList<>();

    public static int getMaxStrokeCount() {
        return 20;
    }

    public static long getMaxGestureDuration() {
        return 60_000;
    }

    public int getStrokeCount() {
        return strokes.size();
    }

    public StrokeDescription getStroke(int index) {
        return strokes.get(index);
    }

    /** One finger, at one speed along its path. */
    public static class StrokeDescription {
        private final Path path;
        private final long start;
        private final long duration;
        private final boolean continues;
        /** The piece before; for the fakes. */
        final StrokeDescription before;

        public StrokeDescription(Path path, long start, long duration, boolean continues) {
            this(path, start, duration, continues, null);
        }

        private StrokeDescription(Path path, long start, long duration, boolean continues, StrokeDescription before) {
            if (duration <= 0 || start < 0 || path.points.isEmpty()) {
                throw new IllegalArgumentException("a stroke takes time and has a path");
            }
            for (float[] point : path.points) {
                if (point[0] < 0 || point[1] < 0) {
                    throw new IllegalArgumentException("Path bounds must not be negative");
                }
            }
            this.path = path;
            this.start = start;
            this.duration = duration;
            this.continues = continues;
            this.before = before;
        }

        public StrokeDescription continueStroke(Path path, long start, long duration, boolean continues) {
            if (!this.continues) {
                throw new IllegalStateException("Only strokes marked willContinue can be continued");
            }
            return new StrokeDescription(path, start, duration, continues, this);
        }

        public long getStartTime() {
            return start;
        }

        public long getDuration() {
            return duration;
        }

        public boolean willContinue() {
            return continues;
        }

        /** Where it is at this time of its gesture. */
        float[] at(long time) {
            List<float[]> points = path.points;
            double whole = 0;
            for (int index = 1; index < points.size(); index++) {
                whole += length(points, index);
            }
            double left = whole * Math.min(1, Math.max(0, (double) (time - start) / duration));
            for (int index = 1; index < points.size(); index++) {
                double length = length(points, index);
                if (left <= length && length > 0) {
                    float share = (float) (left / length);
                    float[] from = points.get(index - 1);
                    float[] to = points.get(index);
                    return new float[] {from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share};
                }
                left -= length;
            }
            return points.get(points.size() - 1);
        }

        private static double length(List<float[]> points, int index) {
            float[] from = points.get(index - 1);
            float[] to = points.get(index);
            return Math.hypot(to[0] - from[0], to[1] - from[1]);
        }
    }

    public static class Builder {
        private final GestureDescription made = new GestureDescription();

        public Builder addStroke(StrokeDescription stroke) {
            if (made.strokes.size() == getMaxStrokeCount()) {
                throw new IllegalStateException("Attempting to add too many strokes to a gesture");
            }
            made.strokes.add(stroke);
            return this;
        }

        public GestureDescription build() {
            if (made.strokes.isEmpty()) {
                throw new IllegalStateException("Gestures must have at least one stroke");
            }
            return made;
        }
    }
}
