package dev.fingertip.agent.screen;

import android.os.Build;
import android.view.accessibility.AccessibilityNodeInfo;

/** The yes/no properties of a node as bits, and texts that only newer releases have. */
final class NodeFlags {
    private NodeFlags() {}

    static int of(AccessibilityNodeInfo info) {
        return bit(0, info.isVisibleToUser())
            | bit(1, info.isClickable())
            | bit(2, info.isLongClickable())
            | bit(3, info.isFocusable())
            | bit(4, info.isScrollable())
            | bit(5, info.isEditable())
            | bit(6, info.isEnabled())
            | bit(7, info.isCheckable())
            | bit(8, info.isChecked())
            | bit(9, info.isSelected())
            | bit(10, info.isFocused())
            | bit(11, info.isPassword())
            | bit(12, info.isShowingHintText())
            | bit(13, info.isAccessibilityFocused())
            | bit(14, Build.VERSION.SDK_INT >= Build.VERSION_CODES.P && info.isHeading())
            | bit(15, info.isContentInvalid())
            | bit(16, info.isMultiLine())
            | bit(17, info.isDismissable())
            | bit(18, info.isContextClickable())
            | bit(19, info.isImportantForAccessibility());
    }

    static String stateDescription(AccessibilityNodeInfo info) {
        boolean known = Build.VERSION.SDK_INT >= Build.VERSION_CODES.R;
        return known ? Seen.string(info.getStateDescription()) : null;
    }

    static String paneTitle(AccessibilityNodeInfo info) {
        boolean known = Build.VERSION.SDK_INT >= Build.VERSION_CODES.P;
        return known ? Seen.string(info.getPaneTitle()) : null;
    }

    private static int bit(int position, boolean value) {
        return value ? 1 << position : 0;
    }
}
