package android.app;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.graphics.Bitmap;
import android.os.Looper;
import android.os.ParcelFileDescriptor;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.fakes.Bridge;
import dev.fingertip.fakes.EventStream;
import dev.fingertip.fakes.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Keeps a cache, as the real one does: what it listed before is listed again until the cache is cleared. */
public final class UiAutomation {
    public static final int FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES = 1;

    public interface OnAccessibilityEventListener {
        void onAccessibilityEvent(AccessibilityEvent event);
    }

    private final AccessibilityServiceInfo info = new AccessibilityServiceInfo();
    private volatile OnAccessibilityEventListener listener;
    private EventStream events;
    private Model cache;

    public UiAutomation(Looper looper, IUiAutomationConnection connection) {}

    public void connect(int flags) {
        Bridge.call("connect", "flags", flags);
        events = new EventStream(event -> {
            OnAccessibilityEventListener current = listener;
            if (current != null) {
                current.onAccessibilityEvent(event);
            }
        });
    }

    public void disconnect() {
        events.close();
        Bridge.call("disconnect");
    }

    public synchronized boolean clearCache() {
        cache = null;
        return true;
    }

    public ParcelFileDescriptor executeShellCommand(String command) {
        return ParcelFileDescriptor.holding((String) Bridge.call("shell", "command", command));
    }

    public AccessibilityNodeInfo findFocus(int focus) {
        for (Model.Node node : model().nodes()) {
            AccessibilityNodeInfo found = new AccessibilityNodeInfo(node);
            if (found.isFocused()) {
                return found;
            }
        }
        return null;
    }

    public AccessibilityServiceInfo getServiceInfo() {
        return info;
    }

    public List<AccessibilityWindowInfo> getWindows() {
        List<AccessibilityWindowInfo> windows = new ArrayList<>();
        if ((info.flags & AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS) != 0) {
            for (Model.Window window : model().windows) {
                windows.add(new AccessibilityWindowInfo(window));
            }
        }
        return windows;
    }

    public boolean performGlobalAction(int action) {
        return (Boolean) Bridge.call("global", "action", action);
    }

    public void setOnAccessibilityEventListener(OnAccessibilityEventListener listener) {
        this.listener = listener;
    }

    public void setServiceInfo(AccessibilityServiceInfo info) {
        this.info.flags = info.flags;
    }

    public Bitmap takeScreenshot() {
        Map<String, Object> reply = Bridge.callForBytes("screenshot");
        int width = ((Number) reply.get("width")).intValue();
        int height = ((Number) reply.get("height")).intValue();
        return new Bitmap(width, height, (byte[]) reply.get("data"));
    }

    private synchronized Model model() {
        if (cache == null || cache.windows.isEmpty()) {
            cache = Model.now();
        }
        return cache;
    }
}
