package android.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public final class MotionEvent extends InputEvent {
    public static final int ACTION_CANCEL = 3;
    public static final int ACTION_DOWN = 0;
    public static final int ACTION_MOVE = 2;
    public static final int ACTION_POINTER_DOWN = 5;
    public static final int ACTION_POINTER_INDEX_SHIFT = 8;
    public static final int ACTION_POINTER_UP = 6;
    public static final int ACTION_UP = 1;
    public static final int TOOL_TYPE_FINGER = 1;

    public static final class PointerCoords {
        public float pressure;
        public float size;
        public float x;
        public float y;

        public PointerCoords() {}
    }

    public static final class PointerProperties {
        public int id;
        public int toolType;

        public PointerProperties() {}
    }

    private final Object[] fields;

    MotionEvent(Object... fields) {
        this.fields = fields;
    }

    public static MotionEvent obtain(
            long downTime, long eventTime, int action, int pointerCount, PointerProperties[] properties,
            PointerCoords[] coordinates, int metaState, int buttonState, float xPrecision, float yPrecision,
            int deviceId, int edgeFlags, int source, int flags) {
        List<Object> pointers = new ArrayList<>();
        for (int index = 0; index < pointerCount; index++) {
            pointers.add(Arrays.asList(properties[index].id, coordinates[index].x, coordinates[index].y));
        }
        return new MotionEvent(
            "action", action, "down_ms", downTime, "event_ms", eventTime, "source", source, "pointers", pointers);
    }

    public void recycle() {}

    @Override
    public String bridgeOperation() {
        return "motion";
    }

    @Override
    public Object[] bridgeFields() {
        return fields;
    }
}
