package dev.fingertip.agent.wire;

import java.util.LinkedHashMap;
import java.util.Map;

/** Why a request did not work, in one of the kinds of the protocol, with one sentence for people. */
@SuppressWarnings("serial")
public final class Failure extends Exception {
    public static final String INVALID = "invalid";
    public static final String UNKNOWN_OPERATION = "unknown_operation";
    public static final String BUSY = "busy";
    public static final String SWITCHED_OFF = "switched_off";
    public static final String UNAVAILABLE = "unavailable";
    public static final String NO_WINDOWS = "no_windows";
    public static final String GONE = "gone";
    public static final String CHANGED = "changed";
    public static final String AMBIGUOUS = "ambiguous";
    public static final String DIVERTED = "diverted";
    public static final String DISABLED = "disabled";
    public static final String UNSUPPORTED = "unsupported";
    public static final String REFUSED = "refused";
    public static final String DENIED = "denied";
    public static final String SECURE = "secure";
    public static final String TIMEOUT = "timeout";
    public static final String OVERLOADED = "overloaded";
    public static final String CANCELLED = "cancelled";
    public static final String INTERNAL = "internal";

    public final String kind;
    private final Map<String, Object> detail = new LinkedHashMap<>();

    public Failure(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Failure(String kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** With a fact for the host; {@code null} is left out. */
    public Failure with(String name, Object value) {
        if (value != null) {
            detail.put(name, value);
        }
        return this;
    }

    /** What an exception of Android means to the host. */
    public static Failure of(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof Failure) {
                return (Failure) cause;
            }
            if (cause instanceof SecurityException) {
                return new Failure(DENIED, "Android forbids it: " + cause.getMessage(), thrown);
            }
        }
        return new Failure(INTERNAL, thrown.toString(), thrown);
    }

    public byte[] json() {
        JsonWriter out = new JsonWriter().object().field("kind", kind).field("message", getMessage());
        if (!detail.isEmpty()) {
            out.key("detail").any(detail);
        }
        return out.endObject().bytes();
    }
}
