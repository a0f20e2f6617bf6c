package dev.fingertip.agent.screen;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import android.view.accessibility.AccessibilityNodeInfo.RangeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Packs windows and nodes into a few flat lists of numbers, with every text once.
 *
 * <p>The layout is that of PROTOCOL.md, "snapshot". Names for each field would cost more than all the rest.
 */
final class SnapshotEncoder {
    /** The longest text that is kept whole, in UTF-16 units. */
    static final int MAX_TEXT = 65_536;

    static final int NONE = -1;

    private final Map<String, Integer> strings = new HashMap<>();
    private final List<String> stringList = new ArrayList<>();
    private final Map<List<Integer>, Integer> actionSets = new HashMap<>();
    private final List<List<Integer>> actionSetList = new ArrayList<>();
    private final Map<Object, Integer> actions = new HashMap<>();
    private final List<AccessibilityAction> actionList = new ArrayList<>();
    private final List<RangeInfo> ranges = new ArrayList<>();
    private final Numbers windows = new Numbers();
    private final Numbers nodes = new Numbers();
    private boolean textCut;

    boolean wasTextCut() {
        return textCut;
    }

    /** A window whose nodes have been added last. */
    void window(AccessibilityWindowInfo window, Rect bounds, String packageName, int firstNode, int nodeCount) {
        int flags = (window.isFocused() ? 1 : 0)
            | (window.isActive() ? 2 : 0)
            | (window.isAccessibilityFocused() ? 4 : 0)
            | (window.isInPictureInPictureMode() ? 8 : 0);
        windows.add(window.getId(), window.getType(), window.getLayer());
        windows.add(bounds.left, bounds.top, bounds.right, bounds.bottom);
        windows.add(flags, string(Seen.string(window.getTitle())), string(packageName), firstNode, nodeCount);
    }

    void node(Seen seen, int depth, Rect window, String windowPackage) {
        AccessibilityNodeInfo info = seen.info;
        int start = nodes.size();
        nodes.add(0, depth, NodeFlags.of(info));
        nodes.add(
            clamp(seen.bounds.left, window.left, window.right),
            clamp(seen.bounds.top, window.top, window.bottom),
            clamp(seen.bounds.right, window.left, window.right),
            clamp(seen.bounds.bottom, window.top, window.bottom));
        String packageName = Seen.string(info.getPackageName());
        int present = 0;
        present |= text(0, seen.className);
        present |= text(1, seen.text);
        present |= text(2, seen.description);
        present |= text(3, Seen.string(info.getHintText()));
        present |= text(4, seen.resourceId);
        present |= text(5, packageName != null && packageName.equals(windowPackage) ? null : packageName);
        present |= text(6, NodeFlags.stateDescription(info));
        present |= text(7, NodeFlags.paneTitle(info));
        present |= text(8, Seen.string(info.getError()));
        present |= number(9, info.getDrawingOrder(), 0);
        present |= number(10, range(info.getRangeInfo()), NONE);
        present |= number(11, actionSet(info.getActionList()), NONE);
        if (seen.editable && info.getTextSelectionStart() >= 0 && !seen.showsHint) {
            nodes.add(info.getTextSelectionStart(), info.getTextSelectionEnd());
            present |= 1 << 12;
        }
        if (seen.password) {
            nodes.add(secretLength(seen));
            present |= 1 << 13;
        }
        if (seen.source != null) {
            nodes.add(Handle.view(seen.source));
            present |= 1 << 14;
            present |= number(15, Handle.part(seen.source), NONE);
        }
        nodes.set(start, present);
    }

    void write(JsonWriter out) {
        out.key("strings").array();
        for (String string : stringList) {
            out.value(string);
        }
        out.endArray().key("ranges").array();
        for (RangeInfo range : ranges) {
            out.array().value(range.getType()).value(range.getMin()).value(range.getMax());
            out.value(range.getCurrent()).endArray();
        }
        out.endArray().key("actions").array();
        for (AccessibilityAction action : actionList) {
            out.array().value(action.getId()).value(NodeActions.name(action)).endArray();
        }
        out.endArray().key("action_sets").array();
        for (List<Integer> set : actionSetList) {
            out.array();
            for (int action : set) {
                out.value(action);
            }
            out.endArray();
        }
        out.endArray().key("windows").array();
        for (int start = 0; start < windows.size(); start += 12) {
            out.array();
            windows.write(out, start, start + 12);
            out.endArray();
        }
        out.endArray().key("nodes").array();
        nodes.write(out, 0, nodes.size());
        out.endArray();
    }

    private int text(int bit, String text) {
        return number(bit, string(text), NONE);
    }

    private int number(int bit, int value, int absent) {
        if (value == absent) {
            return 0;
        }
        nodes.add(value);
        return 1 << bit;
    }

    private int string(String text) {
        if (text == null) {
            return NONE;
        }
        String kept = text;
        if (text.length() > MAX_TEXT) {
            textCut = true;
            kept = text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
        }
        Integer known = strings.get(kept);
        if (known == null) {
            known = stringList.size();
            strings.put(kept, known);
            stringList.add(kept);
        }
        return known;
    }

    private int range(RangeInfo range) {
        if (range == null) {
            return NONE;
        }
        ranges.add(range);
        return ranges.size() - 1;
    }

    private int actionSet(List<AccessibilityAction> listed) {
        List<Integer> set = new ArrayList<>();
        for (AccessibilityAction action : listed) {
            if (!NodeActions.isBookkeeping(action.getId())) {
                set.add(action(action));
            }
        }
        if (set.isEmpty()) {
            return NONE;
        }
        Integer known = actionSets.get(set);
        if (known == null) {
            known = actionSetList.size();
            actionSets.put(set, known);
            actionSetList.add(set);
        }
        return known;
    }

    private int action(AccessibilityAction action) {
        // Apps give one number several labels; without one the number is enough.
        Object key = action.getLabel() == null ? (Object) action.getId() : action.getId() + " " + action.getLabel();
        Integer known = actions.get(key);
        if (known == null) {
            known = actionList.size();
            actions.put(key, known);
            actionList.add(action);
        }
        return known;
    }

    /** Android gives a dot for each character; how many is all that is sent. */
    private static int secretLength(Seen seen) {
        CharSequence dots = seen.showsHint ? null : seen.info.getText();
        return dots == null ? 0 : Character.codePointCount(dots, 0, dots.length());
    }

    private static int clamp(int value, int least, int most) {
        return Math.max(least, Math.min(most, value));
    }
}
