package dev.fingertip.agent.screen;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** Walks all windows once and packs what it sees. Bounded, and says where it had to stop. */
public final class TreeReader {
    /** The most nodes of one snapshot. */
    static final int MAX_NODES = 50_000;
    /** The deepest node, counted from its root; also what keeps a tree with a loop in it finite. */
    static final int MAX_DEPTH = 256;

    private final Windows windows;
    private final Call call;
    private final boolean invisibleToo;
    private final SnapshotEncoder encoder = new SnapshotEncoder();
    private final List<Seen> nodes = new ArrayList<>();
    private final Rect bounds = new Rect();
    private String windowPackage;
    private boolean tooMany;
    private boolean tooDeep;

    public TreeReader(Windows windows, Call call, boolean invisibleToo) {
        this.windows = windows;
        this.call = call;
        this.invisibleToo = invisibleToo;
    }

    public void read(UiProvider.Lease lease, boolean nodesToo) throws Failure {
        for (AccessibilityWindowInfo window : windows.read(lease, call)) {
            call.check();
            AccessibilityNodeInfo root = windows.root(window, call);
            window.getBoundsInScreen(bounds);
            windowPackage = root == null ? null : Seen.string(root.getPackageName());
            int first = nodes.size();
            if (root != null && nodesToo) {
                walk(root, 0);
            }
            encoder.window(window, bounds, windowPackage, first, nodes.size() - first);
        }
    }

    /** What was seen, in the order of the indexes. */
    public List<Seen> nodes() {
        return nodes;
    }

    /** Writes the packed lists, and what is missing in them. */
    public void write(JsonWriter out) {
        out.field("cut", cut());
        encoder.write(out);
    }

    private void walk(AccessibilityNodeInfo info, int depth) {
        if (nodes.size() >= MAX_NODES) {
            tooMany = true;
            return;
        }
        if (depth > MAX_DEPTH) {
            tooDeep = true;
            return;
        }
        Seen seen = new Seen(info, windows.testTags);
        nodes.add(seen);
        encoder.node(seen, depth, bounds, windowPackage);
        int children = info.getChildCount();
        for (int index = 0; index < children; index++) {
            AccessibilityNodeInfo child = info.getChild(index);
            if (child != null && (invisibleToo || child.isVisibleToUser())) {
                walk(child, depth + 1);
            }
        }
    }

    private String cut() {
        if (tooMany) {
            return "nodes after the first " + MAX_NODES;
        }
        if (tooDeep) {
            return "nodes deeper than " + MAX_DEPTH;
        }
        return encoder.wasTextCut() ? "texts after " + SnapshotEncoder.MAX_TEXT + " characters" : null;
    }
}
