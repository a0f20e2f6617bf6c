package dev.fingertip.fakes;

import android.view.accessibility.AccessibilityEvent;
import java.io.IOException;

/** The phone's accessibility events, delivered one by one on a thread of their own. */
public final class EventStream {
    /** The receiver of the events. */
    public interface Listener {
        void received(AccessibilityEvent event);
    }

    private final Bridge bridge;

    public EventStream(Listener listener) {
        try {
            bridge = Bridge.events();
        } catch (IOException | Bridge.Refused broken) {
            throw new IllegalStateException("the bridge is broken: " + broken);
        }
        Thread thread = new Thread(() -> run(listener), "fake-events");
        thread.setDaemon(true);
        thread.start();
    }

    public void close() {
        bridge.close();
    }

    private void run(Listener listener) {
        try {
            while (true) {
                listener.received(new AccessibilityEvent(bridge.read()));
            }
        } catch (IOException closed) {
            // Disconnected, or the phone is gone.
        }
    }
}
