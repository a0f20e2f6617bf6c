package android.view.accessibility;

import java.util.Map;

public final class AccessibilityEvent extends AccessibilityRecord {
    public static final int TYPE_NOTIFICATION_STATE_CHANGED = 64;
    public static final int TYPE_VIEW_ACCESSIBILITY_FOCUSED = 32768;
    public static final int TYPE_VIEW_FOCUSED = 8;
    public static final int TYPE_VIEW_SCROLLED = 4096;
    public static final int TYPE_VIEW_SELECTED = 4;
    public static final int TYPE_VIEW_TEXT_CHANGED = 16;
    public static final int TYPE_VIEW_TEXT_SELECTION_CHANGED = 8192;
    public static final int TYPE_WINDOWS_CHANGED = 4194304;
    public static final int TYPE_WINDOW_CONTENT_CHANGED = 2048;
    public static final int TYPE_WINDOW_STATE_CHANGED = 32;

    /** From a line of the bridge. */
    public AccessibilityEvent(Map<String, Object> fields) {
        super(fields);
    }

    public int getEventType() {
        return ((Number) fields.get("type")).intValue();
    }

    public CharSequence getPackageName() {
        return (String) fields.get("package");
    }
}
