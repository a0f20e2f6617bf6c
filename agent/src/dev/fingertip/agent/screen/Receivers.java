package dev.fingertip.agent.screen;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import java.util.ArrayList;
import java.util.List;

/**
 * The receivers of a touch or a key now, for requests that name the expected ones ({@code packages}).
 *
 * <p>A window whose package is not known is no expected receiver.
 */
public final class Receivers {
    private final List<String> packages;
    private final Windows windows;
    private final UiProvider.Lease lease;
    private final Call call;

    public Receivers(List<String> packages, Windows windows, UiProvider.Lease lease, Call call) {
        this.packages = packages;
        this.windows = windows;
        this.lease = lease;
        this.call = call;
    }

    /** The packages a request is meant for; empty when it is for anyone. */
    public static List<String> meant(Fields fields) throws Failure {
        List<String> packages = new ArrayList<>();
        if (!fields.has("packages")) {
            return packages;
        }
        for (Object name : fields.list("packages")) {
            if (!(name instanceof String)) {
                throw Fields.wrong("packages", "a list of one or more names");
            }
            packages.add((String) name);
        }
        if (packages.isEmpty()) {
            throw Fields.wrong("packages", "a list of one or more names");
        }
        return packages;
    }

    public boolean isAnyone() {
        return packages.isEmpty();
    }

    /** Sees that they lie topmost there; windows of one layer all count. */
    public void mustLieAt(float x, float y, String done) throws Failure {
        if (isAnyone()) {
            return;
        }
        List<AccessibilityWindowInfo> topmost = new ArrayList<>();
        for (AccessibilityWindowInfo window : windows.read(lease, call)) {
            boolean same = topmost.isEmpty() || topmost.get(0).getLayer() == window.getLayer();
            Rect bounds = new Rect();
            window.getBoundsInScreen(bounds);
            if (same && x >= bounds.left && x < bounds.right && y >= bounds.top && y < bounds.bottom) {
                topmost.add(window);
            }
        }
        mustBe(topmost, done);
    }

    /** Sees that they have the keyboard. */
    public void mustHaveKeyboard(String done) throws Failure {
        if (isAnyone()) {
            return;
        }
        List<AccessibilityWindowInfo> focused = new ArrayList<>();
        for (AccessibilityWindowInfo window : windows.read(lease, call)) {
            if (window.isFocused()) {
                focused.add(window);
            }
        }
        mustBe(focused, done);
    }

    private void mustBe(List<AccessibilityWindowInfo> found, String done) throws Failure {
        if (found.isEmpty()) {
            throw diverted(null, done);
        }
        for (AccessibilityWindowInfo window : found) {
            AccessibilityNodeInfo root = window.getRoot();
            String name = root == null ? null : Seen.string(root.getPackageName());
            if (name == null || !packages.contains(name)) {
                throw diverted(name, done);
            }
        }
    }

    private static Failure diverted(String name, String done) {
        return new Failure(Failure.DIVERTED, (name == null ? "an unknown app" : name) + " would receive the rest")
            .with("package", name)
            .with("done", done);
    }
}
