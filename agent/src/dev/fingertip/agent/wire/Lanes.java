package dev.fingertip.agent.wire;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads: one a lane, some for those that wait, one for the time. */
public final class Lanes {
    private final Map<Operation.Lane, ExecutorService> executors = new EnumMap<>(Operation.Lane.class);
    private final ScheduledExecutorService timer;

    public Lanes() {
        for (Operation.Lane lane : Operation.Lane.values()) {
            if (lane == Operation.Lane.WAITING) {
                executors.put(lane, Executors.newCachedThreadPool(named("waiting")));
            } else if (lane != Operation.Lane.AT_ONCE) {
                String name = lane.name().toLowerCase(Locale.ROOT);
                executors.put(lane, Executors.newSingleThreadExecutor(named(name)));
            }
        }
        ScheduledThreadPoolExecutor scheduled = new ScheduledThreadPoolExecutor(1, named("timer"));
        // Nearly every deadline is called off, and must not stay in the queue until it would have come.
        scheduled.setRemoveOnCancelPolicy(true);
        timer = scheduled;
    }

    /** Runs it on its lane. */
    public void run(Operation.Lane lane, Runnable work) {
        ExecutorService executor = executors.get(lane);
        if (executor == null) {
            work.run();
        } else {
            executor.execute(work);
        }
    }

    /** Runs it once, after so long, on the thread for the time: it must be quick. */
    public ScheduledFuture<?> later(long milliseconds, Runnable work) {
        return timer.schedule(work, Math.max(0, milliseconds), TimeUnit.MILLISECONDS);
    }

    /** Waits until no action is under way, so that a gesture called off can lift its fingers. */
    public void awaitActing(long milliseconds) {
        ExecutorService acting = executors.get(Operation.Lane.ACTING);
        acting.shutdown();
        try {
            acting.awaitTermination(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all of them; what runs is interrupted. */
    public void end() {
        for (ExecutorService executor : executors.values()) {
            executor.shutdownNow();
        }
        timer.shutdownNow();
    }

    private static ThreadFactory named(final String name) {
        return work -> {
            Thread thread = new Thread(work, "fingertip-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
