package android.accessibilityservice;

import android.app.Service;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.ColorSpace;
import android.hardware.HardwareBuffer;
import android.os.Handler;
import android.os.IBinder;
import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.fakes.AppPhone;
import dev.fingertip.fakes.Bridge;
import dev.fingertip.fakes.EventStream;
import dev.fingertip.fakes.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that its user switches on ({@link #bind}) and off. Keeps a cache of windows, as the real one does. */
public abstract class AccessibilityService extends Service {
    public static final int GLOBAL_ACTION_BACK = 1;
    public static final int GLOBAL_ACTION_HOME = 2;
    public static final int GLOBAL_ACTION_RECENTS = 3;
    public static final int GLOBAL_ACTION_DPAD_UP = 16;
    public static final int GLOBAL_ACTION_DPAD_DOWN = 17;
    public static final int GLOBAL_ACTION_DPAD_LEFT = 18;
    public static final int GLOBAL_ACTION_DPAD_RIGHT = 19;
    public static final int GLOBAL_ACTION_DPAD_CENTER = 20;
    private static final int TOO_SOON = 3;
    private static final int SECURE_WINDOW = 6;

    public abstract static class GestureResultCallback {
        public void onCompleted(GestureDescription gesture) {}

        public void onCancelled(GestureDescription gesture) {}
    }

    public interface TakeScreenshotCallback {
        void onSuccess(ScreenshotResult result);

        void onFailure(int error);
    }

    public static final class ScreenshotResult {
        private final Bitmap picture;

        ScreenshotResult(Bitmap picture) {
            this.picture = picture;
        }

        public HardwareBuffer getHardwareBuffer() {
            return new HardwareBuffer(picture);
        }

        public ColorSpace getColorSpace() {
            return null;
        }
    }

    private final ExecutorService gestures = Executors.newSingleThreadExecutor();
    private final Injector injector = new Injector();
    private EventStream events;
    private Model cache;
    private long lastPicture;
    /** For the tests: how often a picture was asked for too soon. */
    public int refusedPictures;

    /** The user switches it on. */
    public void bind() {
        Bridge.call("connect", "flags", 0, "service", true);
        events = new EventStream(this::onAccessibilityEvent);
        onServiceConnected();
    }

    /** The user switches it off. */
    public void unbind() {
        events.close();
        Bridge.call("disconnect");
        onUnbind(null);
        gestures.shutdown();
    }

    @Override
    public final IBinder onBind(Intent intent) {
        return null;
    }

    public abstract void onAccessibilityEvent(AccessibilityEvent event);

    public abstract void onInterrupt();

    protected void onServiceConnected() {}

    public synchronized List<AccessibilityWindowInfo> getWindows() {
        List<AccessibilityWindowInfo> windows = new ArrayList<>();
        for (Model.Window window : model().windows) {
            windows.add(new AccessibilityWindowInfo(window));
        }
        return windows;
    }

    public synchronized AccessibilityNodeInfo findFocus(int focus) {
        for (Model.Node node : model().nodes()) {
            AccessibilityNodeInfo found = new AccessibilityNodeInfo(node);
            if (found.isFocused()) {
                return found;
            }
        }
        return null;
    }

    public final boolean performGlobalAction(int action) {
        return (Boolean) Bridge.call("global", "action", action);
    }

    public final boolean dispatchGesture(GestureDescription gesture, GestureResultCallback callback, Handler handler) {
        gestures.execute(() -> {
            boolean played;
            try {
                injector.play(gesture);
                played = true;
            } catch (InterruptedException | RuntimeException refused) {
                refused.printStackTrace();
                played = false;
            }
            boolean completed = played;
            AppPhone.main().execute(() -> {
                if (completed) {
                    callback.onCompleted(gesture);
                } else {
                    callback.onCancelled(gesture);
                }
            });
        });
        return true;
    }

    /** For the tests. */
    public int fingersDown() {
        return injector.fingersDown();
    }

    public void takeScreenshot(int display, Executor executor, TakeScreenshotCallback callback) {
        long now = SystemClock.uptimeMillis();
        if (AppPhone.secure) {
            executor.execute(() -> callback.onFailure(SECURE_WINDOW));
        } else if (now - lastPicture < AppPhone.pictureEveryMs) {
            refusedPictures++;
            executor.execute(() -> callback.onFailure(TOO_SOON));
        } else {
            lastPicture = now;
            Map<String, Object> reply = Bridge.callForBytes("screenshot");
            int width = ((Number) reply.get("width")).intValue();
            int height = ((Number) reply.get("height")).intValue();
            Bitmap picture = new Bitmap(width, height, (byte[]) reply.get("data"));
            executor.execute(() -> callback.onSuccess(new ScreenshotResult(picture)));
        }
    }

    public final synchronized boolean clearCache() {
        cache = null;
        return true;
    }

    public final InputMethod getInputMethod() {
        return new InputMethod();
    }

    private Model model() {
        if (cache == null || cache.windows.isEmpty()) {
            cache = Model.now();
        }
        return cache;
    }
}
