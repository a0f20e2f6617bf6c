package dev.fingertip.agent.shell;

import android.app.UiAutomation;
import android.graphics.Bitmap;
import android.os.ParcelFileDescriptor;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.screen.Ui;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wrappers.NodeCache;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The screen through UiAutomation, which also runs commands of the shell. */
final class AutomationUi implements Ui {
    private final UiAutomation automation;

    AutomationUi(UiAutomation automation) {
        this.automation = automation;
    }

    @Override
    public List<AccessibilityWindowInfo> getWindows() {
        return automation.getWindows();
    }

    @Override
    public AccessibilityNodeInfo findFocus(int focus) {
        return automation.findFocus(focus);
    }

    @Override
    public boolean performGlobalAction(int action) {
        return automation.performGlobalAction(action);
    }

    @Override
    public Bitmap takeScreenshot(Call call) {
        return automation.takeScreenshot();
    }

    @Override
    public void clearCache() throws Failure {
        NodeCache.LOOKUP.get().clear(automation);
    }

    @Override
    public String dumpWindows(String what) throws IOException {
        ParcelFileDescriptor output = automation.executeShellCommand("dumpsys window " + what);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (InputStream in = new ParcelFileDescriptor.AutoCloseInputStream(output)) {
            byte[] part = new byte[16 * 1024];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                text.write(part, 0, read);
            }
        }
        return text.toString("UTF-8");
    }
}
