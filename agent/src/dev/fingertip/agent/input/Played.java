package dev.fingertip.agent.input;

/** How a gesture was played. */
public final class Played {
    /** How many events were sent. */
    public final int events;
    /** The most milliseconds one was late. */
    public final long late;

    public Played(int events, long late) {
        this.events = events;
        this.late = late;
    }
}
