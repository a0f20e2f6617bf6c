package dev.fingertip.tests;

import java.util.Objects;

/** What tests claim. */
public final class Check {
    /** Something that must not go well. */
    public interface Attempt {
        void run() throws Exception;
    }

    private Check() {}

    public static void equal(Object expected, Object seen) {
        if (!Objects.equals(expected, seen)) {
            throw new AssertionError("expected " + expected + ", saw " + seen);
        }
    }

    public static void that(boolean holds, Object seen) {
        if (!holds) {
            throw new AssertionError("does not hold: " + seen);
        }
    }

    /** What it throws, which must be of this type. */
    public static <T extends Exception> T fails(Class<T> type, Attempt attempt) {
        try {
            attempt.run();
        } catch (Exception thrown) {
            if (type.isInstance(thrown)) {
                return type.cast(thrown);
            }
            throw new AssertionError("threw " + thrown, thrown);
        }
        throw new AssertionError("nothing was thrown");
    }
}
