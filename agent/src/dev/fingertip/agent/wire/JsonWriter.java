package dev.fingertip.agent.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Writes JSON as UTF-8 into one growing array.
 *
 * <p>Commas look after themselves: a value needs one before it unless the last byte opens something. That is
 * unambiguous, because every finished value ends in a quote, a bracket, a brace, a digit or a letter.
 */
public final class JsonWriter {
    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private byte[] buffer;
    private int length;

    public JsonWriter() {
        this(256);
    }

    public JsonWriter(int capacity) {
        buffer = new byte[capacity];
    }

    public byte[] bytes() {
        return Arrays.copyOf(buffer, length);
    }

    public JsonWriter object() {
        separate();
        return raw('{');
    }

    public JsonWriter endObject() {
        return raw('}');
    }

    public JsonWriter array() {
        separate();
        return raw('[');
    }

    public JsonWriter endArray() {
        return raw(']');
    }

    /** A key of our own: plain letters, not escaped. */
    public JsonWriter key(String key) {
        separate();
        room(key.length() + 3);
        buffer[length++] = '"';
        for (int index = 0; index < key.length(); index++) {
            buffer[length++] = (byte) key.charAt(index);
        }
        buffer[length++] = '"';
        buffer[length++] = ':';
        return this;
    }

    public JsonWriter field(String key, String value) {
        return key(key).value(value);
    }

    public JsonWriter field(String key, long value) {
        return key(key).value(value);
    }

    public JsonWriter field(String key, boolean value) {
        return key(key).value(value);
    }

    public JsonWriter value(boolean value) {
        separate();
        return ascii(value ? "true" : "false");
    }

    public JsonWriter value(long value) {
        separate();
        room(20);
        if (value < 0) {
            buffer[length++] = '-';
        }
        int start = length;
        long rest = value;
        while (rest != (int) rest || rest == Integer.MIN_VALUE) {
            // Negative remainders reach the smallest long, which has no positive twin.
            buffer[length++] = (byte) ('0' + Math.abs((int) (rest % 10)));
            rest /= 10;
        }
        // Short division for what is left, which is nearly always all of it.
        int few = Math.abs((int) rest);
        do {
            buffer[length++] = (byte) ('0' + few % 10);
            few /= 10;
        } while (few != 0);
        for (int left = start, right = length - 1; left < right; left++, right--) {
            byte swapped = buffer[left];
            buffer[left] = buffer[right];
            buffer[right] = swapped;
        }
        return this;
    }

    /** JSON has no infinite numbers: they become null. */
    public JsonWriter value(double value) {
        separate();
        return ascii(Double.isNaN(value) || Double.isInfinite(value) ? "null" : Double.toString(value));
    }

    public JsonWriter nothing() {
        separate();
        return ascii("null");
    }

    public JsonWriter value(String value) {
        if (value == null) {
            return nothing();
        }
        separate();
        raw('"');
        for (int index = 0; index < value.length(); index++) {
            char letter = value.charAt(index);
            room(6);
            if (letter >= 0x80) {
                index += wide(value, index);
            } else if (letter == '"' || letter == '\\') {
                buffer[length++] = '\\';
                buffer[length++] = (byte) letter;
            } else if (letter < ' ') {
                ascii("\\u00");
                buffer[length++] = HEX[letter >> 4];
                buffer[length++] = HEX[letter & 15];
            } else {
                buffer[length++] = (byte) letter;
            }
        }
        return raw('"');
    }

    /** Writes maps, lists, strings, numbers, booleans and null, as {@link Json} reads them. */
    public JsonWriter any(Object value) {
        if (value instanceof Map) {
            object();
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                value(member.getKey().toString());
                raw(':').any(member.getValue());
            }
            return endObject();
        }
        if (value instanceof List) {
            array();
            for (Object item : (List<?>) value) {
                any(item);
            }
            return endArray();
        }
        if (value instanceof Boolean) {
            return value(((Boolean) value).booleanValue());
        }
        if (value instanceof Double || value instanceof Float) {
            return value(((Number) value).doubleValue());
        }
        if (value instanceof Number) {
            return value(((Number) value).longValue());
        }
        return value(value == null ? null : value.toString());
    }

    /** Writes one character that is not ASCII; returns how many further units it took. */
    private int wide(String value, int index) {
        char letter = value.charAt(index);
        int code = letter;
        boolean pair = Character.isHighSurrogate(letter)
            && index + 1 < value.length()
            && Character.isLowSurrogate(value.charAt(index + 1));
        if (pair) {
            code = Character.toCodePoint(letter, value.charAt(index + 1));
        } else if (Character.isSurrogate(letter)) {
            code = 0xFFFD;
        }
        if (code < 0x800) {
            buffer[length++] = (byte) (0xC0 | code >> 6);
        } else if (code < 0x10000) {
            buffer[length++] = (byte) (0xE0 | code >> 12);
            buffer[length++] = (byte) (0x80 | code >> 6 & 0x3F);
        } else {
            buffer[length++] = (byte) (0xF0 | code >> 18);
            buffer[length++] = (byte) (0x80 | code >> 12 & 0x3F);
            buffer[length++] = (byte) (0x80 | code >> 6 & 0x3F);
        }
        buffer[length++] = (byte) (0x80 | code & 0x3F);
        return pair ? 1 : 0;
    }

    private void separate() {
        if (length == 0) {
            return;
        }
        byte last = buffer[length - 1];
        if (last != '{' && last != '[' && last != ':' && last != ',') {
            raw(',');
        }
    }

    private JsonWriter ascii(String text) {
        room(text.length());
        for (int index = 0; index < text.length(); index++) {
            buffer[length++] = (byte) text.charAt(index);
        }
        return this;
    }

    private JsonWriter raw(char mark) {
        room(1);
        buffer[length++] = (byte) mark;
        return this;
    }

    private void room(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
