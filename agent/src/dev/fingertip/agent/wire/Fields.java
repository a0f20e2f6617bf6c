package dev.fingertip.agent.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of one request, read with their types and ranges.
 *
 * <p>An operation reads all its fields and then says {@link #finish}; an unread field is an error, so that a
 * misspelt option is not silently ignored.
 */
public final class Fields {
    private final Map<String, Object> members;
    private final Set<String> read = new HashSet<>();

    public Fields(Map<String, Object> members) {
        this.members = members;
    }

    public boolean has(String name) {
        return members.get(name) != null;
    }

    public String text(String name) throws Failure {
        Object value = take(name);
        if (!(value instanceof String)) {
            throw wrong(name, "a text");
        }
        return (String) value;
    }

    /** A text, or {@code null} when it is absent or null. */
    public String optionalText(String name) throws Failure {
        return has(name) ? text(name) : (String) take(name);
    }

    public String text(String name, String absent) throws Failure {
        return has(name) ? text(name) : absent;
    }

    public int integer(String name, int least, int most) throws Failure {
        Object value = take(name);
        if (!(value instanceof Long) || (Long) value < least || (Long) value > most) {
            throw wrong(name, "an integer from " + least + " to " + most);
        }
        return ((Long) value).intValue();
    }

    public int integer(String name, int least, int most, int absent) throws Failure {
        return has(name) ? integer(name, least, most) : absent;
    }

    /** The number of a request: 32 bits without a sign. */
    public int request(String name) throws Failure {
        Object value = take(name);
        if (!(value instanceof Long) || (Long) value < 1 || (Long) value > 0xFFFFFFFFL) {
            throw wrong(name, "the number of a request");
        }
        return ((Long) value).intValue();
    }

    public double number(String name) throws Failure {
        Object value = take(name);
        if (!(value instanceof Number)) {
            throw wrong(name, "a number");
        }
        return ((Number) value).doubleValue();
    }

    public boolean flag(String name, boolean absent) throws Failure {
        if (!has(name)) {
            return absent;
        }
        Object value = take(name);
        if (!(value instanceof Boolean)) {
            throw wrong(name, "true or false");
        }
        return (Boolean) value;
    }

    public List<?> list(String name) throws Failure {
        Object value = take(name);
        if (!(value instanceof List)) {
            throw wrong(name, "a list");
        }
        return (List<?>) value;
    }

    /** The last word: every field has been read. */
    public void finish() throws Failure {
        for (String name : members.keySet()) {
            if (!read.contains(name)) {
                throw new Failure(Failure.INVALID, "there is no field \"" + name + "\" in this request");
            }
        }
    }

    public static Failure wrong(String name, String expected) {
        return new Failure(Failure.INVALID, "\"" + name + "\" must be " + expected);
    }

    private Object take(String name) {
        read.add(name);
        return members.get(name);
    }
}
