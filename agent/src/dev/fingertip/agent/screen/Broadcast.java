package dev.fingertip.agent.screen;

import android.os.SystemClock;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Outlet;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;

/**
 * Sends events to the host: the first change at once, those that follow gathered.
 *
 * <p>It has a thread of its own, so that a slow host never holds up Android's; while a write lasts, changes go on
 * being gathered into one.
 */
public final class Broadcast {
    /** The least time between two messages of changes. */
    static final long GATHER_MS = 16;
    /** The most toasts that wait to be sent; older ones are dropped. */
    static final int MAX_TOASTS = 32;
    /** The most packages named in one message. */
    static final int MAX_PACKAGES = 16;

    private final Outlet outlet;
    private final Thread thread = new Thread(this::send, "fingertip-events");
    private final Queue<byte[]> notices = new ArrayDeque<>();
    private final Set<String> packages = new LinkedHashSet<>();
    private boolean wantsChanges;
    private boolean wantsToasts;
    private int types;
    private int gathered;
    private long count;
    private long notBefore;

    public Broadcast(Outlet outlet) {
        this.outlet = outlet;
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends nothing more. */
    public void end() {
        thread.interrupt();
    }

    public synchronized void want(boolean changes, boolean toasts) {
        wantsChanges = changes;
        wantsToasts = toasts;
        gathered = 0;
        notices.clear();
    }

    synchronized void change(int type, String packageName, long total) {
        if (!wantsChanges) {
            return;
        }
        types |= type;
        gathered++;
        count = total;
        if (packageName != null && packages.size() < MAX_PACKAGES) {
            packages.add(packageName);
        }
        notifyAll();
    }

    synchronized void toast(String packageName, String words) {
        if (wantsToasts) {
            JsonWriter out = new JsonWriter().object().field("event", "toast");
            out.field("package", packageName).field("text", words);
            notice(out.field("uptime_ms", SystemClock.uptimeMillis()).endObject().bytes());
        }
    }

    synchronized void released() {
        if (wantsChanges || wantsToasts) {
            notice(new JsonWriter().object().field("event", "released").endObject().bytes());
        }
    }

    private void notice(byte[] json) {
        if (notices.size() >= MAX_TOASTS) {
            notices.remove();
        }
        notices.add(json);
        notifyAll();
    }

    private void send() {
        try {
            while (true) {
                outlet.event(next());
            }
        } catch (IOException | InterruptedException ended) {
            // The reading side sees the end of the connection too, and ends the process.
        }
    }

    private synchronized byte[] next() throws InterruptedException {
        while (true) {
            if (!notices.isEmpty()) {
                return notices.remove();
            }
            long wait = notBefore - SystemClock.uptimeMillis();
            if (gathered > 0 && wait <= 0) {
                return changes();
            }
            if (gathered > 0) {
                wait(wait);
            } else {
                wait();
            }
        }
    }

    private byte[] changes() {
        long now = SystemClock.uptimeMillis();
        JsonWriter out = new JsonWriter().object().field("event", "change");
        out.field("windows", (types & EventLog.WINDOWS) != 0);
        out.field("content", (types & EventLog.CONTENT) != 0);
        out.field("focus", (types & EventLog.FOCUS) != 0);
        out.key("packages").array();
        for (String packageName : packages) {
            out.value(packageName);
        }
        out.endArray().field("count", gathered).field("events", count).field("uptime_ms", now);
        types = 0;
        gathered = 0;
        packages.clear();
        notBefore = now + GATHER_MS;
        return out.endObject().bytes();
    }
}
