package dev.fingertip.agent.wire;

import android.os.SystemClock;
import java.io.IOException;

/**
 * One request from its arrival to its one answer.
 *
 * <p>Whoever answers first (the operation, the deadline, a cancel, the end of the connection) answers; whatever
 * comes later is dropped. An operation that waits waits through its call and so learns that it is over.
 */
public final class Call implements Clock {
    public final int request;
    public final Fields fields;
    public final long deadline;
    private final Outlet outlet;
    private boolean over;

    public Call(int request, Fields fields, long deadline, Outlet outlet) {
        this.request = request;
        this.fields = fields;
        this.deadline = deadline;
        this.outlet = outlet;
    }

    public synchronized boolean isOver() {
        return over;
    }

    /** Ends an operation whose caller no longer waits for the answer. */
    public void check() throws Failure {
        if (isOver()) {
            throw new Failure(Failure.CANCELLED, "the request is over");
        }
    }

    @Override
    public long now() {
        return SystemClock.uptimeMillis();
    }

    @Override
    public synchronized boolean waitUntil(long time) {
        while (!over) {
            long left = time - now();
            if (left <= 0) {
                return true;
            }
            try {
                wait(left);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    public void pause(long milliseconds) throws Failure {
        waitUntil(now() + milliseconds);
        check();
    }

    public void reply(Reply reply) throws IOException {
        if (finish()) {
            outlet.reply(request, reply);
        }
    }

    /** {@code false} when it had been answered already. */
    public boolean fail(Failure failure) throws IOException {
        boolean first = finish();
        if (first) {
            outlet.error(request, failure);
        }
        return first;
    }

    /** Ends it without an answer, when the connection is gone. */
    public synchronized boolean finish() {
        boolean first = !over;
        over = true;
        notifyAll();
        return first;
    }
}
