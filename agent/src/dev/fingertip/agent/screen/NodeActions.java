package dev.fingertip.agent.screen;

import android.os.Build;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import java.util.HashMap;
import java.util.Map;

/** The names of Android's own actions in the protocol. */
public final class NodeActions {
    /** What every node lists for screen readers, and no other client calls; each is one bit. */
    private static final int BOOKKEEPING =
        AccessibilityNodeInfo.ACTION_ACCESSIBILITY_FOCUS
            | AccessibilityNodeInfo.ACTION_CLEAR_ACCESSIBILITY_FOCUS
            | AccessibilityNodeInfo.ACTION_CLEAR_FOCUS
            | AccessibilityNodeInfo.ACTION_CLEAR_SELECTION
            | AccessibilityNodeInfo.ACTION_NEXT_AT_MOVEMENT_GRANULARITY
            | AccessibilityNodeInfo.ACTION_PREVIOUS_AT_MOVEMENT_GRANULARITY
            | AccessibilityNodeInfo.ACTION_NEXT_HTML_ELEMENT
            | AccessibilityNodeInfo.ACTION_PREVIOUS_HTML_ELEMENT;

    private static final Map<String, Integer> IDS = new HashMap<>();
    private static final Map<Integer, String> NAMES = new HashMap<>();

    static {
        put("click", AccessibilityNodeInfo.ACTION_CLICK);
        put("long_click", AccessibilityNodeInfo.ACTION_LONG_CLICK);
        put("focus", AccessibilityNodeInfo.ACTION_FOCUS);
        put("select", AccessibilityNodeInfo.ACTION_SELECT);
        put("scroll_forward", AccessibilityNodeInfo.ACTION_SCROLL_FORWARD);
        put("scroll_backward", AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD);
        put("expand", AccessibilityNodeInfo.ACTION_EXPAND);
        put("collapse", AccessibilityNodeInfo.ACTION_COLLAPSE);
        put("dismiss", AccessibilityNodeInfo.ACTION_DISMISS);
        put("copy", AccessibilityNodeInfo.ACTION_COPY);
        put("cut", AccessibilityNodeInfo.ACTION_CUT);
        put("paste", AccessibilityNodeInfo.ACTION_PASTE);
        put("set_text", AccessibilityNodeInfo.ACTION_SET_TEXT);
        put("set_selection", AccessibilityNodeInfo.ACTION_SET_SELECTION);
        put("show_on_screen", AccessibilityAction.ACTION_SHOW_ON_SCREEN.getId());
        put("scroll_up", AccessibilityAction.ACTION_SCROLL_UP.getId());
        put("scroll_down", AccessibilityAction.ACTION_SCROLL_DOWN.getId());
        put("scroll_left", AccessibilityAction.ACTION_SCROLL_LEFT.getId());
        put("scroll_right", AccessibilityAction.ACTION_SCROLL_RIGHT.getId());
        put("context_click", AccessibilityAction.ACTION_CONTEXT_CLICK.getId());
        put("set_progress", AccessibilityAction.ACTION_SET_PROGRESS.getId());
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) {
            put("ime_enter", AccessibilityAction.ACTION_IME_ENTER.getId());
        }
    }

    private NodeActions() {}

    /** Android's number for a name; {@code null} when this release has no such action. */
    public static Integer id(String name) {
        return IDS.get(name);
    }

    static boolean isBookkeeping(int id) {
        return Integer.bitCount(id) == 1 && (id & BOOKKEEPING) != 0;
    }

    /** The name of an action of a node: Android's own, else the label its app gave it. */
    static String name(AccessibilityAction action) {
        String name = NAMES.get(action.getId());
        if (name != null) {
            return name;
        }
        CharSequence label = action.getLabel();
        return label == null ? "#" + action.getId() : label.toString();
    }

    /** Whether the node says that it takes this action. */
    public static boolean lists(AccessibilityNodeInfo node, int id) {
        for (AccessibilityAction action : node.getActionList()) {
            if (action.getId() == id) {
                return true;
            }
        }
        return false;
    }

    private static void put(String name, int id) {
        IDS.put(name, id);
        NAMES.put(id, name);
    }
}
