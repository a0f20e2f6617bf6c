package dev.fingertip.agent.screen;

import android.graphics.Bitmap;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import java.io.IOException;
import java.util.List;

/** The screen as Android hands it to the one who holds it: through UiAutomation, or to an accessibility service. */
public interface Ui {
    List<AccessibilityWindowInfo> getWindows();

    /** The node that has this focus; {@code null} when there is none. */
    AccessibilityNodeInfo findFocus(int focus);

    /** {@code false} when the system says no. */
    boolean performGlobalAction(int action);

    /** A picture of the whole screen, of whatever kind. */
    Bitmap takeScreenshot(Call call) throws Failure;

    /** Makes the next read show the screen and not what it was, as far as this release can. */
    void clearCache() throws Failure;

    /** What {@code dumpsys window} says of this; {@code null} where it may not be asked. */
    String dumpWindows(String what) throws IOException;
}
