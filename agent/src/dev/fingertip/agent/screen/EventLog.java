package dev.fingertip.agent.screen;

import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;

/** What has happened on the screen: how much, when last, and who wants to hear of it. */
public final class EventLog {
    /** Windows came, went or changed their state. */
    static final int WINDOWS = AccessibilityEvent.TYPE_WINDOWS_CHANGED | AccessibilityEvent.TYPE_WINDOW_STATE_CHANGED;
    /** Something in a window looks different. */
    static final int CONTENT =
        AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED
            | AccessibilityEvent.TYPE_VIEW_TEXT_CHANGED
            | AccessibilityEvent.TYPE_VIEW_TEXT_SELECTION_CHANGED
            | AccessibilityEvent.TYPE_VIEW_SCROLLED
            | AccessibilityEvent.TYPE_VIEW_SELECTED;
    /** Something else has the focus. */
    static final int FOCUS = AccessibilityEvent.TYPE_VIEW_FOCUSED | AccessibilityEvent.TYPE_VIEW_ACCESSIBILITY_FOCUSED;
    /** Toasts come as notifications of this class, or of one inside it. */
    private static final String TOAST = "android.widget.Toast";
    private static final long NEVER = -1;

    private Broadcast broadcast;
    private long count;
    private long lastChange = NEVER;
    private long takenAt;

    /** Notifies this listener of every change; {@code null} for none. */
    public synchronized void tell(Broadcast listener) {
        broadcast = listener;
    }

    public synchronized long count() {
        return count;
    }

    /** When something last changed; since the screen was taken nothing may have. */
    public synchronized long quietSince() {
        return Math.max(takenAt, lastChange);
    }

    /** How long nothing has changed; {@code null} when nothing was seen to change at all. */
    public synchronized Long quietMilliseconds() {
        return lastChange == NEVER ? null : SystemClock.uptimeMillis() - lastChange;
    }

    /** From now on changes are reported. */
    public synchronized void taken() {
        takenAt = SystemClock.uptimeMillis();
        lastChange = NEVER;
    }

    /** From now on no changes are reported. */
    public synchronized void released() {
        if (broadcast != null) {
            broadcast.released();
        }
    }

    /** Takes what Android reports. */
    public void add(AccessibilityEvent event) {
        int type = event.getEventType();
        String packageName = text(event.getPackageName());
        if (type == AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED) {
            String className = text(event.getClassName());
            if (className != null && className.startsWith(TOAST)) {
                toast(packageName, words(event));
            }
        } else if ((type & (WINDOWS | CONTENT | FOCUS)) != 0) {
            change(type, packageName);
        }
    }

    private synchronized void change(int type, String packageName) {
        count++;
        lastChange = SystemClock.uptimeMillis();
        if (broadcast != null) {
            broadcast.change(type, packageName, count);
        }
    }

    private synchronized void toast(String packageName, String words) {
        if (broadcast != null) {
            broadcast.toast(packageName, words);
        }
    }

    private static String words(AccessibilityEvent event) {
        StringBuilder words = new StringBuilder();
        for (CharSequence part : event.getText()) {
            if (part != null) {
                words.append(words.length() == 0 ? "" : "\n").append(part);
            }
        }
        return words.toString();
    }

    private static String text(CharSequence text) {
        return text == null ? null : text.toString();
    }
}
