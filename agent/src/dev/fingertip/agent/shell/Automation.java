package dev.fingertip.agent.shell;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.os.HandlerThread;
import android.os.SystemClock;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.Ui;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Lanes;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wrappers.AutomationAccess;

/**
 * Holds UiAutomation while it is used, and not much longer.
 *
 * <p>A phone has one of them for everybody, so it is taken on demand and given back after a time without use. Other
 * accessibility services keep running beside it. Whoever needs it takes a {@link Lease}; while there is one, it stays.
 */
final class Automation implements UiProvider {
    /** Beside what Android sets itself: all windows, resource ids, unimportant views, all of web pages. */
    private static final int SERVICE_FLAGS =
        AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS
            | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
            | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS
            | AccessibilityServiceInfo.FLAG_REQUEST_ENHANCED_WEB_ACCESSIBILITY;

    private final class Held implements Lease {
        private final Ui ui;

        private Held(UiAutomation held) {
            ui = new AutomationUi(held);
        }

        @Override
        public Ui ui() {
            return ui;
        }

        @Override
        public boolean isFresh() {
            synchronized (Automation.this) {
                boolean was = fresh;
                fresh = false;
                return was;
            }
        }

        @Override
        public void close() {
            ended();
        }
    }

    private final Lanes lanes;
    private final EventLog events;
    private final long releaseMs;
    private HandlerThread thread;
    private UiAutomation held;
    private boolean fresh;
    private int leases;
    private long keepUntil;
    private boolean alarmSet;

    Automation(Lanes lanes, EventLog events, long releaseMs) {
        this.lanes = lanes;
        this.events = events;
        this.releaseMs = releaseMs;
    }

    @Override
    public synchronized Lease take() throws Failure {
        if (held == null) {
            connect();
        }
        leases++;
        return new Held(held);
    }

    @Override
    public synchronized void keepFor(long milliseconds) {
        keepUntil = Math.max(keepUntil, SystemClock.uptimeMillis() + milliseconds);
    }

    @Override
    public synchronized boolean release() throws Failure {
        if (held == null || leases > 0) {
            return false;
        }
        drop();
        return true;
    }

    private synchronized void ended() {
        leases--;
        keepFor(releaseMs);
        if (!alarmSet) {
            setAlarm();
        }
    }

    private void setAlarm() {
        alarmSet = true;
        long wait = keepUntil - SystemClock.uptimeMillis();
        // Giving back is a call to the system and may take its time: not on the thread for the time.
        lanes.later(wait, () -> lanes.run(Operation.Lane.WAITING, this::releaseIfUnused));
    }

    private synchronized void releaseIfUnused() {
        alarmSet = false;
        if (held == null || leases > 0) {
            return;
        }
        if (SystemClock.uptimeMillis() < keepUntil) {
            setAlarm();
            return;
        }
        try {
            drop();
        } catch (Failure failed) {
            System.err.println("could not give UiAutomation back: " + failed.getMessage());
        }
    }

    private void connect() throws Failure {
        if (thread == null) {
            thread = new HandlerThread("fingertip-automation");
            thread.setDaemon(true);
            thread.start();
        }
        AutomationAccess access = AutomationAccess.LOOKUP.get();
        UiAutomation ui = access.connect(thread.getLooper(), UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES);
        held = ui;
        fresh = true;
        keepUntil = 0;
        events.taken();
        ui.setOnAccessibilityEventListener(events::add);
        AccessibilityServiceInfo info = ui.getServiceInfo();
        if (info != null) {
            info.flags |= SERVICE_FLAGS;
            ui.setServiceInfo(info);
        }
    }

    /** Forgets it first: one that cannot be given back is of no use either. */
    private void drop() throws Failure {
        UiAutomation ui = held;
        held = null;
        ui.setOnAccessibilityEventListener(null);
        try {
            AutomationAccess.LOOKUP.get().disconnect(ui);
        } finally {
            // Only now may another tool take it.
            events.released();
        }
    }
}
