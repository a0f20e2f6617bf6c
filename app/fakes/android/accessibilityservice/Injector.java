package android.accessibilityservice;

import android.accessibilityservice.GestureDescription.StrokeDescription;
import android.os.SystemClock;
import dev.fingertip.fakes.Bridge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plays gestures as Android does: events every few milliseconds, fingers that continue staying down. */
final class Injector {
    private static final int STEP_MS = 8;
    private static final int TOUCHSCREEN = 4098;

    /** The fingers that are down, by the last piece of each. */
    private final Map<StrokeDescription, Integer> down = new LinkedHashMap<>();
    private final Map<StrokeDescription, float[]> places = new LinkedHashMap<>();

    void play(GestureDescription gesture) throws InterruptedException {
        long begun = SystemClock.uptimeMillis();
        long end = 0;
        for (int index = 0; index < gesture.getStrokeCount(); index++) {
            StrokeDescription stroke = gesture.getStroke(index);
            end = Math.max(end, stroke.getStartTime() + stroke.getDuration());
            if (stroke.before != null) {
                Integer finger = down.remove(stroke.before);
                if (finger == null) {
                    throw new IllegalStateException("a stroke continues one that is not down");
                }
                places.put(stroke, places.remove(stroke.before));
                down.put(stroke, finger);
            }
        }
        for (long time = 0; ; time = Math.min(end, time + STEP_MS)) {
            Thread.sleep(Math.max(0, begun + time - SystemClock.uptimeMillis()));
            step(gesture, time, begun + time);
            if (time == end) {
                return;
            }
        }
    }

    private void step(GestureDescription gesture, long time, long now) {
        boolean moved = false;
        for (int index = 0; index < gesture.getStrokeCount(); index++) {
            StrokeDescription stroke = gesture.getStroke(index);
            if (down.containsKey(stroke)) {
                float[] place = stroke.at(time);
                moved |= !Arrays.equals(place, places.put(stroke, place));
            }
        }
        if (moved) {
            send(2, 0, now);
        }
        for (int index = 0; index < gesture.getStrokeCount(); index++) {
            StrokeDescription stroke = gesture.getStroke(index);
            if (down.containsKey(stroke) && !stroke.willContinue() && time >= stroke.getStartTime() + stroke.getDuration()) {
                int at = new ArrayList<>(down.keySet()).indexOf(stroke);
                send(down.size() == 1 ? 1 : 6 | at << 8, at, now);
                down.remove(stroke);
                places.remove(stroke);
            }
        }
        for (int index = 0; index < gesture.getStrokeCount(); index++) {
            StrokeDescription stroke = gesture.getStroke(index);
            boolean due = time >= stroke.getStartTime() && time < stroke.getStartTime() + stroke.getDuration();
            if (due && stroke.before == null && !down.containsKey(stroke)) {
                int finger = 0;
                while (down.containsValue(finger)) {
                    finger++;
                }
                down.put(stroke, finger);
                places.put(stroke, stroke.at(time));
                int at = down.size() - 1;
                send(at == 0 ? 0 : 5 | at << 8, at, now);
            }
        }
    }

    private void send(int action, int changed, long now) {
        List<Object> pointers = new ArrayList<>();
        for (Map.Entry<StrokeDescription, Integer> finger : down.entrySet()) {
            float[] place = places.get(finger.getKey());
            pointers.add(Arrays.<Object>asList(finger.getValue(), place[0], place[1]));
        }
        Bridge.call("motion", "action", action, "down_ms", now, "event_ms", now, "source", TOUCHSCREEN, "pointers", pointers);
    }

    int fingersDown() {
        return down.size();
    }
}
