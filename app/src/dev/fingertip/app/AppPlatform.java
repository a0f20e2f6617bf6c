package dev.fingertip.app;

import android.accessibilityservice.AccessibilityService;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.graphics.Rect;
import android.hardware.display.DisplayManager;
import android.view.Display;
import android.view.WindowManager;
import android.view.accessibility.AccessibilityEvent;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlayer;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.input.Played;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.Screen;
import dev.fingertip.agent.screen.Ui;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Lanes;
import dev.fingertip.agent.wrappers.SourceNodeId;
import java.util.Collections;
import java.util.Map;

/** An app with an accessibility service, which its user switches on and off: what it can do without being the shell. */
final class AppPlatform implements Platform {
    private static final String NO_READING = "since Android 10 only the app in front may read the clipboard";

    private volatile AccessibilityService service;
    private volatile EventLog events;

    AppPlatform() {
        SourceNodeId.LOOKUP.withhold("not for apps");
    }

    /** The user has switched the service on. */
    void connected(AccessibilityService to) {
        service = to;
        EventLog log = events;
        if (log != null) {
            log.taken();
        }
    }

    /** The user has switched it off; what an older one says after a newer one came does not count. */
    void disconnected(AccessibilityService from) {
        if (service == from) {
            service = null;
            EventLog log = events;
            if (log != null) {
                log.released();
            }
        }
    }

    boolean isConnected() {
        return service != null;
    }

    void happened(AccessibilityEvent event) {
        EventLog log = events;
        if (log != null) {
            log.add(event);
        }
    }

    private AccessibilityService service() throws Failure {
        AccessibilityService now = service;
        if (now == null) {
            throw new Failure(Failure.SWITCHED_OFF, "Fingertip's accessibility service is switched off");
        }
        return now;
    }

    @Override
    public UiProvider provider(Lanes lanes, EventLog log) {
        events = log;
        log.taken();
        return new Provider();
    }

    @Override
    public Played play(GesturePlan plan, GesturePlayer.Ground ground, Call call) throws Failure {
        return new Fingers(service(), call).play(plan, ground);
    }

    @Override
    public Keyboard keyboard(Clock clock, Keyboard.Guard guard) {
        return new FieldKeyboard(this::service, clock, guard);
    }

    @Override
    public Clipboard clipboard() throws Failure {
        ClipboardManager manager = service().getSystemService(ClipboardManager.class);
        return new Clipboard() {
            @Override
            public boolean isReadable() {
                return false;
            }

            @Override
            public ClipData get() throws Failure {
                throw new Failure(Failure.UNAVAILABLE, NO_READING);
            }

            @Override
            public void set(ClipData clip) {
                if (clip == null) {
                    manager.clearPrimaryClip();
                } else {
                    manager.setPrimaryClip(clip);
                }
            }
        };
    }

    @Override
    public Screen screen() throws Failure {
        AccessibilityService from = service();
        Rect bounds = from.getSystemService(WindowManager.class).getMaximumWindowMetrics().getBounds();
        Display display = from.getSystemService(DisplayManager.class).getDisplay(Display.DEFAULT_DISPLAY);
        int density = from.getResources().getConfiguration().densityDpi;
        return new Screen(bounds.right - bounds.left, bounds.bottom - bounds.top, display.getRotation(), density);
    }

    @Override
    public Map<String, String> missing() {
        return Collections.singletonMap("ClipboardReading", NO_READING);
    }

    /** Holds nothing: the service is there for as long as its user wants. */
    private final class Provider implements UiProvider {
        @Override
        public Lease take() throws Failure {
            Ui ui = new ServiceUi(service());
            return new Lease() {
                @Override
                public Ui ui() {
                    return ui;
                }

                @Override
                public boolean isFresh() {
                    return false;
                }

                @Override
                public void close() {
                    // Nothing is held.
                }
            };
        }

        @Override
        public void keepFor(long milliseconds) {
            // It stays anyway.
        }

        @Override
        public boolean release() {
            return false;
        }
    }
}
