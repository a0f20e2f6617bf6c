package android.accessibilityservice;

import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.TextAttribute;
import dev.fingertip.fakes.Bridge;
import dev.fingertip.fakes.Model;
import java.util.HashMap;
import java.util.Map;

/** The connection to the field that has the focus. */
public class InputMethod {
    private static final int SET_TEXT = 2097152;

    public final class AccessibilityInputConnection {
        /** At the end of what is there, which is where the demo phone's cursor is after it was typed. */
        public void commitText(CharSequence text, int cursor, TextAttribute attribute) {
            Model.Node field = field();
            boolean hint = field.text(4) != null && field.text(4).equals(field.text(2));
            Map<String, Object> arguments = new HashMap<>();
            arguments.put("ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE", (hint ? "" : field.text(2)) + text);
            Bridge.call("perform", "window", field.window, "node", field.key, "action", SET_TEXT, "arguments", arguments);
        }

        public void sendKeyEvent(KeyEvent event) {
            Bridge.call(event.bridgeOperation(), event.bridgeFields());
        }
    }

    public final boolean getCurrentInputStarted() {
        return field() != null;
    }

    public final AccessibilityInputConnection getCurrentInputConnection() {
        return new AccessibilityInputConnection();
    }

    private static Model.Node field() {
        for (Model.Node node : Model.now().nodes()) {
            AccessibilityNodeInfo info = new AccessibilityNodeInfo(node);
            if (info.isFocused() && info.isEditable()) {
                return node;
            }
        }
        return null;
    }
}
