package dev.fingertip.agent.wire;

/** Time, and waiting for it. Milliseconds since boot, without sleep, as Android stamps input events. */
public interface Clock {
    long now();

    /** Waits until then; {@code false} as soon as waiting makes no sense any more. */
    boolean waitUntil(long time);
}
