package dev.fingertip.agent.wire;

/** One operation of the protocol. Reads its fields before it does anything. */
public interface Operation {
    /** Where it runs, and so what it waits for. */
    enum Lane {
        /** Reads the screen; one after another. */
        LOOKING,
        /** Takes pictures; one after another. */
        PICTURES,
        /** Touches and types; one after another. */
        ACTING,
        /** Waits, beside all others; keeps its deadline itself. */
        WAITING,
        /** Answers on the thread that reads requests, so it must be quick. */
        AT_ONCE
    }

    Lane lane();

    Reply run(Call call) throws Exception;
}
