package android.view.accessibility;

import android.graphics.Rect;
import dev.fingertip.fakes.Model;
import java.util.List;

public final class AccessibilityWindowInfo {
    public static final int TYPE_APPLICATION = 1;

    private final Model.Window window;

    /** From the phone. */
    public AccessibilityWindowInfo(Model.Window window) {
        this.window = window;
    }

    public void getBoundsInScreen(Rect bounds) {
        List<?> edges = (List<?>) window.fields.get("bounds");
        bounds.left = ((Number) edges.get(0)).intValue();
        bounds.top = ((Number) edges.get(1)).intValue();
        bounds.right = ((Number) edges.get(2)).intValue();
        bounds.bottom = ((Number) edges.get(3)).intValue();
    }

    public int getId() {
        return window.number("id");
    }

    public int getLayer() {
        return window.number("layer");
    }

    public AccessibilityNodeInfo getRoot() {
        Model.Window now = window.root == null ? Model.now().window(getId()) : window;
        return now == null || now.root == null ? null : new AccessibilityNodeInfo(now.root);
    }

    public CharSequence getTitle() {
        return (String) window.fields.get("title");
    }

    public int getType() {
        return window.number("type");
    }

    public boolean isAccessibilityFocused() {
        return false;
    }

    public boolean isActive() {
        return Boolean.TRUE.equals(window.fields.get("active"));
    }

    public boolean isFocused() {
        return Boolean.TRUE.equals(window.fields.get("focused"));
    }

    public boolean isInPictureInPictureMode() {
        return false;
    }
}
