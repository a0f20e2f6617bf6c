package dev.fingertip.agent.screen;

import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds a node again at the moment of acting.
 *
 * <p>Between looking and acting a list may have given the view another row, or the app may have built its views
 * anew. Gone, changed and ambiguous are different answers; nothing is acted on by guess.
 */
public final class Locator {
    private final Windows windows;

    public Locator(Windows windows) {
        this.windows = windows;
    }

    /** The node as it is now. With {@code same}, it must still look as it did. */
    public Seen relocate(Seen before, boolean same, UiProvider.Lease lease, Call call) throws Failure {
        Seen now = before.info.refresh() ? new Seen(before.info) : search(before, lease, call);
        if (same && !now.looksLike(before)) {
            throw new Failure(Failure.CHANGED, "the node is now " + now.summary())
                .with("class", now.className)
                .with("text", now.text)
                .with("description", now.description)
                .with("resource_id", now.resourceId);
        }
        return now;
    }

    /** Looks through all windows: first for Android's number, which outlives our connection, then for the looks. */
    private Seen search(Seen before, UiProvider.Lease lease, Call call) throws Failure {
        List<Seen> alike = new ArrayList<>();
        List<Seen> alikeInWindow = new ArrayList<>();
        for (AccessibilityWindowInfo window : windows.read(lease, call)) {
            call.check();
            AccessibilityNodeInfo root = window.getRoot();
            List<Seen> here = window.getId() == before.window ? alikeInWindow : alike;
            Seen same = root == null ? null : search(root, before, here, 0);
            if (same != null) {
                return same;
            }
        }
        List<Seen> found = alikeInWindow.isEmpty() ? alike : alikeInWindow;
        if (found.isEmpty() || !before.hasMarks()) {
            throw new Failure(Failure.GONE, "the node " + before.summary() + " is no longer there");
        }
        if (found.size() > 1) {
            String message = "the node is gone, and " + found.size() + " look like " + before.summary();
            throw new Failure(Failure.AMBIGUOUS, message).with("count", found.size());
        }
        return found.get(0);
    }

    private static Seen search(AccessibilityNodeInfo info, Seen before, List<Seen> alike, int depth) {
        Seen seen = new Seen(info);
        if (seen.isSameNode(before)) {
            return seen;
        }
        if (seen.looksLike(before) && info.isVisibleToUser()) {
            alike.add(seen);
        }
        for (int index = 0; depth < TreeReader.MAX_DEPTH && index < info.getChildCount(); index++) {
            AccessibilityNodeInfo child = info.getChild(index);
            Seen same = child == null ? null : search(child, before, alike, depth + 1);
            if (same != null) {
                return same;
            }
        }
        return null;
    }
}
