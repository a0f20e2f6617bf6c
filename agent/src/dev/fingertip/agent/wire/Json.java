package dev.fingertip.agent.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into maps, lists, strings, longs, doubles, booleans and nulls.
 *
 * <p>Strict, because what it reads comes over a socket: nothing after the value, no key twice, and no deeper than
 * {@link #MAX_DEPTH}.
 */
public final class Json {
    /** Deeper values are refused, so that no input can exhaust the stack. */
    public static final int MAX_DEPTH = 32;

    /** So many characters always fit a long. */
    private static final int SHORT_NUMBER = 18;

    /** The text is not JSON, or not JSON that is taken here. */
    public static final class Malformed extends Exception {
        Malformed(String message, int at) {
            super(message + " at character " + at);
        }
    }

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static Object parse(String text) throws Malformed {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.malformed("something follows the value");
        }
        return value;
    }

    /** Reads a text that must hold an object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> parseObject(String text) throws Malformed {
        Object value = parse(text);
        if (value instanceof Map) {
            return (Map<String, Object>) value;
        }
        throw new Malformed("not an object", 0);
    }

    private Object value(int depth) throws Malformed {
        if (depth > MAX_DEPTH) {
            throw malformed("too deep");
        }
        switch (next()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) throws Malformed {
        Map<String, Object> members = new LinkedHashMap<>();
        if (isEmpty('}')) {
            return members;
        }
        while (true) {
            if (next() != '"') {
                throw malformed("a key was expected");
            }
            String key = string();
            if (members.containsKey(key)) {
                throw malformed("a key comes twice");
            }
            if (next() != ':') {
                throw malformed("a colon was expected");
            }
            at++;
            members.put(key, value(depth + 1));
            if (endsOrContinues('}')) {
                return members;
            }
        }
    }

    private List<Object> array(int depth) throws Malformed {
        List<Object> items = new ArrayList<>();
        if (isEmpty(']')) {
            return items;
        }
        while (true) {
            items.add(value(depth + 1));
            if (endsOrContinues(']')) {
                return items;
            }
        }
    }

    private boolean isEmpty(char end) throws Malformed {
        at++;
        boolean empty = next() == end;
        at += empty ? 1 : 0;
        return empty;
    }

    private boolean endsOrContinues(char end) throws Malformed {
        char mark = next();
        if (mark != end && mark != ',') {
            throw malformed("a comma or the end was expected");
        }
        at++;
        return mark == end;
    }

    private String string() throws Malformed {
        int start = ++at;
        StringBuilder built = null;
        while (at < text.length()) {
            char letter = text.charAt(at);
            if (letter == '"') {
                String tail = text.substring(start, at++);
                return built == null ? tail : built.append(tail).toString();
            }
            if (letter < ' ') {
                throw malformed("a control character in a string");
            }
            if (letter == '\\') {
                built = (built == null ? new StringBuilder() : built).append(text, start, at);
                built.append(escape());
                start = at;
            } else {
                at++;
            }
        }
        throw malformed("a string does not end");
    }

    private char escape() throws Malformed {
        at++;
        char letter = at < text.length() ? text.charAt(at++) : 0;
        int plain = "\"\\/bfnrt".indexOf(letter);
        if (plain >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(plain);
        }
        if (letter != 'u' || at + 4 > text.length()) {
            throw malformed("no such escape");
        }
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = Character.digit(text.charAt(at), 16);
            if (digit < 0) {
                throw malformed("no such escape");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object word(String word, Object value) throws Malformed {
        if (!text.startsWith(word, at)) {
            throw malformed("no such word");
        }
        at += word.length();
        return value;
    }

    private Object number() throws Malformed {
        int start = at;
        takes("-");
        int first = at;
        digits();
        if (at - first > 1 && text.charAt(first) == '0') {
            throw malformed("a number starts with zero");
        }
        boolean whole = true;
        if (takes(".")) {
            whole = false;
            digits();
        }
        if (takes("eE")) {
            whole = false;
            takes("+-");
            digits();
        }
        if (whole && at - start <= SHORT_NUMBER) {
            return shortNumber(start);
        }
        try {
            String number = text.substring(start, at);
            return whole ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
        } catch (NumberFormatException tooLarge) {
            throw malformed("a number is too large");
        }
    }

    /** Nearly all numbers are short, and need neither a text of their own nor a look for overflow. */
    private Long shortNumber(int start) {
        boolean negative = text.charAt(start) == '-';
        long number = 0;
        for (int index = negative ? start + 1 : start; index < at; index++) {
            number = number * 10 + text.charAt(index) - '0';
        }
        return negative ? -number : number;
    }

    /** Goes on when one of these comes next. */
    private boolean takes(String marks) {
        boolean taken = at < text.length() && marks.indexOf(text.charAt(at)) >= 0;
        at += taken ? 1 : 0;
        return taken;
    }

    private void digits() throws Malformed {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw malformed("no value");
        }
    }

    private char next() throws Malformed {
        skipSpace();
        if (at >= text.length()) {
            throw malformed("the text ends early");
        }
        return text.charAt(at);
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) <= ' ' && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private Malformed malformed(String message) {
        return new Malformed(message, at);
    }
}
