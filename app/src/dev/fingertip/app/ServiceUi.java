package dev.fingertip.app;

import android.accessibilityservice.AccessibilityService;
import android.graphics.Bitmap;
import android.hardware.HardwareBuffer;
import android.os.Build;
import android.view.Display;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.screen.Ui;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The screen as Android hands it to an accessibility service. */
final class ServiceUi implements Ui {
    /** How soon a picture that came too early is asked for again: Android gives one every 333 ms, on Android 11 every second. */
    private static final int ASK_AGAIN_MS = 60;
    /** {@code AccessibilityService.ERROR_TAKE_SCREENSHOT_*}. */
    private static final int TOO_SOON = 3;
    private static final int SECURE_WINDOW = 6;
    private static final int NO_PIXELS = -1;

    private final AccessibilityService service;

    ServiceUi(AccessibilityService service) {
        this.service = service;
    }

    @Override
    public List<AccessibilityWindowInfo> getWindows() {
        return service.getWindows();
    }

    @Override
    public AccessibilityNodeInfo findFocus(int focus) {
        return service.findFocus(focus);
    }

    @Override
    public boolean performGlobalAction(int action) {
        return service.performGlobalAction(action);
    }

    /** Waits its turn where another picture was taken a moment ago, for as long as the call lasts. */
    @Override
    public Bitmap takeScreenshot(Call call) throws Failure {
        while (true) {
            Answer answer = new Answer();
            service.takeScreenshot(Display.DEFAULT_DISPLAY, Runnable::run, answer);
            Object got = answer.await(call.deadline - call.now());
            if (got instanceof Bitmap) {
                return (Bitmap) got;
            }
            int error = (Integer) got;
            if (error == SECURE_WINDOW) {
                throw new Failure(Failure.SECURE, "a window on the screen withholds its pixels");
            }
            if (error != TOO_SOON) {
                throw new Failure(Failure.REFUSED, "Android gave no picture of the screen (error " + error + ")");
            }
            call.pause(ASK_AGAIN_MS);
        }
    }

    /** Before Android 13 the cache is the framework's own business: events keep it fresh. */
    @Override
    public void clearCache() {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            service.clearCache();
        }
    }

    @Override
    public String dumpWindows(String what) {
        return null;
    }

    /** One answer: a picture, or the number of an error. */
    private static final class Answer implements AccessibilityService.TakeScreenshotCallback {
        private final BlockingQueue<Object> answers = new ArrayBlockingQueue<>(1);

        @Override
        public void onSuccess(AccessibilityService.ScreenshotResult result) {
            // The pixels are in graphics memory, which is to be given back at once.
            try (HardwareBuffer buffer = result.getHardwareBuffer()) {
                Bitmap shared = Bitmap.wrapHardwareBuffer(buffer, result.getColorSpace());
                Bitmap own = shared == null ? null : shared.copy(Bitmap.Config.ARGB_8888, false);
                answers.offer(own == null ? (Object) NO_PIXELS : own);
            }
        }

        @Override
        public void onFailure(int error) {
            answers.offer(error);
        }

        Object await(long milliseconds) throws Failure {
            try {
                Object answer = answers.poll(milliseconds, TimeUnit.MILLISECONDS);
                if (answer == null) {
                    throw new Failure(Failure.TIMEOUT, "Android gave no picture in time");
                }
                return answer;
            } catch (InterruptedException ended) {
                throw new Failure(Failure.CANCELLED, "the picture was called off");
            }
        }
    }
}
