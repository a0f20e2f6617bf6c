package android.view.accessibility;

import android.graphics.Rect;
import android.os.Bundle;
import dev.fingertip.fakes.Bridge;
import dev.fingertip.fakes.Model;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A node of the phone; what it says is as old as the last refresh. */
public class AccessibilityNodeInfo {
    public static final int ACTION_ACCESSIBILITY_FOCUS = 64;
    public static final int ACTION_CLEAR_ACCESSIBILITY_FOCUS = 128;
    public static final int ACTION_CLEAR_FOCUS = 2;
    public static final int ACTION_CLEAR_SELECTION = 8;
    public static final int ACTION_CLICK = 16;
    public static final int ACTION_COLLAPSE = 524288;
    public static final int ACTION_COPY = 16384;
    public static final int ACTION_CUT = 65536;
    public static final int ACTION_DISMISS = 1048576;
    public static final int ACTION_EXPAND = 262144;
    public static final int ACTION_FOCUS = 1;
    public static final int ACTION_LONG_CLICK = 32;
    public static final int ACTION_NEXT_AT_MOVEMENT_GRANULARITY = 256;
    public static final int ACTION_NEXT_HTML_ELEMENT = 1024;
    public static final int ACTION_PASTE = 32768;
    public static final int ACTION_PREVIOUS_AT_MOVEMENT_GRANULARITY = 512;
    public static final int ACTION_PREVIOUS_HTML_ELEMENT = 2048;
    public static final int ACTION_SCROLL_BACKWARD = 8192;
    public static final int ACTION_SCROLL_FORWARD = 4096;
    public static final int ACTION_SELECT = 4;
    public static final int ACTION_SET_SELECTION = 131072;
    public static final int ACTION_SET_TEXT = 2097152;
    public static final int FOCUS_INPUT = 1;
    public static final String ACTION_ARGUMENT_PROGRESS_VALUE =
        "android.view.accessibility.action.ARGUMENT_PROGRESS_VALUE";
    public static final String ACTION_ARGUMENT_SELECTION_END_INT = "ACTION_ARGUMENT_SELECTION_END_INT";
    public static final String ACTION_ARGUMENT_SELECTION_START_INT = "ACTION_ARGUMENT_SELECTION_START_INT";
    public static final String ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE = "ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE";

    private static final String TEST_TAG = "androidx.compose.ui.semantics.testTag";

    public static final class AccessibilityAction {
        public static final AccessibilityAction ACTION_CONTEXT_CLICK = new AccessibilityAction(16908348, null);
        public static final AccessibilityAction ACTION_IME_ENTER = new AccessibilityAction(16908372, null);
        public static final AccessibilityAction ACTION_SCROLL_DOWN = new AccessibilityAction(16908346, null);
        public static final AccessibilityAction ACTION_SCROLL_LEFT = new AccessibilityAction(16908345, null);
        public static final AccessibilityAction ACTION_SCROLL_RIGHT = new AccessibilityAction(16908347, null);
        public static final AccessibilityAction ACTION_SCROLL_UP = new AccessibilityAction(16908344, null);
        public static final AccessibilityAction ACTION_SET_PROGRESS = new AccessibilityAction(16908349, null);
        public static final AccessibilityAction ACTION_SHOW_ON_SCREEN = new AccessibilityAction(16908342, null);

        private final int id;
        private final CharSequence label;

        public AccessibilityAction(int id, CharSequence label) {
            this.id = id;
            this.label = label;
        }

        public int getId() {
            return id;
        }

        public CharSequence getLabel() {
            return label;
        }
    }

    public static final class RangeInfo {
        private final List<?> values;

        RangeInfo(List<?> values) {
            this.values = values;
        }

        public float getCurrent() {
            return ((Number) values.get(2)).floatValue();
        }

        public float getMax() {
            return ((Number) values.get(1)).floatValue();
        }

        public float getMin() {
            return ((Number) values.get(0)).floatValue();
        }

        public int getType() {
            return 1;
        }
    }

    private Model.Node node;
    private Bundle extras;

    /** From the phone. */
    public AccessibilityNodeInfo(Model.Node node) {
        this.node = node;
    }

    public long getSourceNodeId() {
        return node.key;
    }

    public List<AccessibilityAction> getActionList() {
        return node.actions(AccessibilityAction::new);
    }

    public List<String> getAvailableExtraData() {
        return rare("test_tag") == null ? Collections.emptyList() : Collections.singletonList(TEST_TAG);
    }

    public void getBoundsInScreen(Rect bounds) {
        bounds.left = node.number(7);
        bounds.top = node.number(8);
        bounds.right = node.number(9);
        bounds.bottom = node.number(10);
    }

    public AccessibilityNodeInfo getChild(int index) {
        return new AccessibilityNodeInfo(node.children.get(index));
    }

    public int getChildCount() {
        return node.children.size();
    }

    public int getDrawingOrder() {
        return node.number(12);
    }

    public Bundle getExtras() {
        extras = extras == null ? new Bundle() : extras;
        return extras;
    }

    public RangeInfo getRangeInfo() {
        return node.list(13) == null ? null : new RangeInfo(node.list(13));
    }

    public int getTextSelectionEnd() {
        return node.list(14) == null ? -1 : ((Number) node.list(14).get(1)).intValue();
    }

    public int getTextSelectionStart() {
        return node.list(14) == null ? -1 : ((Number) node.list(14).get(0)).intValue();
    }

    public String getViewIdResourceName() {
        return node.text(5);
    }

    public int getWindowId() {
        return node.window;
    }

    public CharSequence getClassName() {
        return node.text(1);
    }

    public CharSequence getContentDescription() {
        return node.text(3);
    }

    public CharSequence getError() {
        return rare("error");
    }

    public CharSequence getHintText() {
        return node.text(4);
    }

    public CharSequence getPackageName() {
        return node.text(6);
    }

    public CharSequence getPaneTitle() {
        return rare("pane");
    }

    public CharSequence getStateDescription() {
        return rare("state");
    }

    public CharSequence getText() {
        return node.text(2);
    }

    public boolean isAccessibilityFocused() {
        return false;
    }

    public boolean isCheckable() {
        return flag(0);
    }

    public boolean isChecked() {
        return flag(1);
    }

    public boolean isClickable() {
        return flag(2);
    }

    public boolean isContentInvalid() {
        return false;
    }

    public boolean isContextClickable() {
        return false;
    }

    public boolean isDismissable() {
        return false;
    }

    public boolean isEditable() {
        return flag(10);
    }

    public boolean isEnabled() {
        return flag(3);
    }

    public boolean isFocusable() {
        return flag(4);
    }

    public boolean isFocused() {
        return flag(5);
    }

    public boolean isHeading() {
        return Boolean.TRUE.equals(node.rare().get("heading"));
    }

    public boolean isImportantForAccessibility() {
        return true;
    }

    public boolean isLongClickable() {
        return flag(7);
    }

    public boolean isMultiLine() {
        return false;
    }

    public boolean isPassword() {
        return flag(8);
    }

    public boolean isScrollable() {
        return flag(6);
    }

    public boolean isSelected() {
        return flag(9);
    }

    public boolean isShowingHintText() {
        return flag(12);
    }

    public boolean isVisibleToUser() {
        return flag(11);
    }

    public boolean performAction(int action, Bundle arguments) {
        Map<String, Object> values = Bundle.valuesOf(arguments);
        return (Boolean) Bridge.call(
            "perform", "window", node.window, "node", node.key, "action", action,
            "arguments", values == null ? Collections.emptyMap() : values);
    }

    public boolean refresh() {
        Model.Node now = Model.now().find(node.key);
        boolean there = now != null && now.window == node.window;
        node = there ? now : node;
        return there;
    }

    public boolean refreshWithExtraData(String key, Bundle arguments) {
        boolean there = refresh();
        if (there && arguments != null) {
            getExtras().putCharSequence(key, rare("test_tag"));
        }
        return there;
    }

    private boolean flag(int bit) {
        return (node.number(11) >> bit & 1) != 0;
    }

    private String rare(String name) {
        return (String) node.rare().get(name);
    }
}
