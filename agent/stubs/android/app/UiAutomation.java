package android.app;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.graphics.Bitmap;
import android.os.ParcelFileDescriptor;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.List;

public final class UiAutomation {
    public static final int FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES = 1;

    public interface OnAccessibilityEventListener {
        void onAccessibilityEvent(AccessibilityEvent event);
    }

    UiAutomation() {}

    public native ParcelFileDescriptor executeShellCommand(String command);

    public native AccessibilityNodeInfo findFocus(int focus);

    public native AccessibilityNodeInfo getRootInActiveWindow();

    public native AccessibilityServiceInfo getServiceInfo();

    public native List<AccessibilityWindowInfo> getWindows();

    public native boolean performGlobalAction(int action);

    public native void setOnAccessibilityEventListener(OnAccessibilityEventListener listener);

    public native void setServiceInfo(AccessibilityServiceInfo info);

    public native Bitmap takeScreenshot();
}
