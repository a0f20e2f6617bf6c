package dev.fingertip.agent.text;

import android.os.Bundle;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.screen.NodeActions;
import dev.fingertip.agent.wire.Failure;

/** An editable node of the screen. */
final class NodeField implements TextField {
    private final AccessibilityNodeInfo node;
    private final Keyboard keys;
    private final SavedClip clip;

    NodeField(AccessibilityNodeInfo node, Keyboard keys, Platform platform) {
        this.node = node;
        this.keys = keys;
        clip = new SavedClip(platform);
    }

    @Override
    public String read() throws Failure {
        if (!node.refresh()) {
            throw new Failure(Failure.GONE, "the field is no longer there");
        }
        if (node.isPassword()) {
            return null;
        }
        CharSequence text = node.isShowingHintText() ? null : node.getText();
        return text == null ? "" : text.toString();
    }

    @Override
    public int secretLength() {
        CharSequence dots = node.isShowingHintText() ? null : node.getText();
        return dots == null ? 0 : Character.codePointCount(dots, 0, dots.length());
    }

    @Override
    public int[] selection() {
        int start = node.getTextSelectionStart();
        return start < 0 || node.isShowingHintText() ? null : new int[] {start, node.getTextSelectionEnd()};
    }

    @Override
    public boolean setText(String text) {
        Bundle arguments = new Bundle();
        arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
        return performs(AccessibilityNodeInfo.ACTION_SET_TEXT, arguments);
    }

    @Override
    public boolean select(int start, int end) throws Failure {
        if (!node.isFocused()) {
            performs(AccessibilityNodeInfo.ACTION_FOCUS, null);
            read();
        }
        Bundle arguments = new Bundle();
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT, start);
        arguments.putInt(AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT, end);
        return performs(AccessibilityNodeInfo.ACTION_SET_SELECTION, arguments);
    }

    @Override
    public boolean paste(String text) throws Failure {
        if (!clip.put(text, node.isPassword())) {
            return false;
        }
        if (!performs(AccessibilityNodeInfo.ACTION_PASTE, null)) {
            keys.press(KeyEvent.KEYCODE_PASTE, 0, 0);
        }
        return true;
    }

    @Override
    public void restoreClipboard() throws Failure {
        clip.restore();
    }

    @Override
    public boolean type(String text) throws Failure {
        return keys.type(text);
    }

    @Override
    public void delete() throws Failure {
        keys.press(KeyEvent.KEYCODE_DEL, 0, 0);
    }

    private boolean performs(int action, Bundle arguments) {
        return NodeActions.lists(node, action) && node.performAction(action, arguments);
    }
}
