package dev.fingertip.agent.screen;

import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gets windows and their roots out of Android, which gives both a little late.
 *
 * <p>Just after UiAutomation was taken the list of windows fills by and by, and a window that has just opened has no
 * root for a moment. Both are asked again a few times. A window that never has a root is waited for only once.
 */
public final class Windows {
    /** How often a missing root or list is asked for. */
    private static final int TRIES = 20;
    private static final int TRY_EVERY_MS = 25;
    /** So many equal answers in a row mean that the list is whole. */
    private static final int STEADY = 3;
    /** The most windows remembered as rootless. */
    private static final int MAX_ROOTLESS = 64;

    /** Kept here because they live as long as the windows do. */
    final TestTags testTags = new TestTags();
    /** Asked from two lanes at once. */
    private final Set<Integer> rootless = ConcurrentHashMap.newKeySet();

    /** All windows, top one first, from the system and not from a cache. */
    public List<AccessibilityWindowInfo> read(UiProvider.Lease lease, Call call) throws Failure {
        lease.ui().clearCache();
        List<AccessibilityWindowInfo> windows = lease.isFresh() ? steady(lease.ui(), call) : lease.ui().getWindows();
        for (int tries = 1; windows.isEmpty() && tries < TRIES; tries++) {
            call.pause(TRY_EVERY_MS);
            windows = lease.ui().getWindows();
        }
        if (windows.isEmpty()) {
            throw new Failure(Failure.NO_WINDOWS, "Android lists no window");
        }
        List<AccessibilityWindowInfo> sorted = new ArrayList<>(windows);
        Collections.sort(sorted, (one, other) -> Integer.compare(other.getLayer(), one.getLayer()));
        return sorted;
    }

    /** The root of a window; {@code null} when it has none even after a while. */
    public AccessibilityNodeInfo root(AccessibilityWindowInfo window, Call call) throws Failure {
        AccessibilityNodeInfo root = window.getRoot();
        boolean waits = root == null && window.isActive() | window.isFocused() | isApplication(window);
        if (waits && !rootless.contains(window.getId())) {
            for (int tries = 1; root == null && tries < TRIES; tries++) {
                call.pause(TRY_EVERY_MS);
                root = window.getRoot();
            }
            remember(window.getId(), root == null);
        }
        return root;
    }

    private void remember(int window, boolean isRootless) {
        if (isRootless && rootless.size() >= MAX_ROOTLESS) {
            rootless.clear();
        }
        if (isRootless) {
            rootless.add(window);
        }
    }

    private static boolean isApplication(AccessibilityWindowInfo window) {
        return window.getType() == AccessibilityWindowInfo.TYPE_APPLICATION;
    }

    private static List<AccessibilityWindowInfo> steady(Ui ui, Call call) throws Failure {
        List<AccessibilityWindowInfo> windows = ui.getWindows();
        int equal = 1;
        for (int tries = 1; equal < STEADY && tries < TRIES; tries++) {
            call.pause(TRY_EVERY_MS);
            List<AccessibilityWindowInfo> again = ui.getWindows();
            equal = !again.isEmpty() && again.size() == windows.size() ? equal + 1 : 1;
            windows = again;
        }
        return windows;
    }
}
