package android.view;

import java.util.ArrayList;
import java.util.List;

/** The virtual keyboard of stock Android: ASCII, and nothing else. */
public class KeyCharacterMap {
    public static final int VIRTUAL_KEYBOARD = -1;

    private static final int SHIFT_LEFT = 59;
    private static final int SHIFT_ON = 0x41;
    /** Signs without and with shift, and the key of each. */
    private static final String PLAIN = " ,.`-=[]\\;'/@\n\t";
    private static final String SHIFTED = "\0<>~_+{}|:\"?\0\0\0";
    private static final int[] CODES = {62, 55, 56, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 66, 61};
    private static final String SHIFTED_DIGITS = ")!@#$%^&*(";

    KeyCharacterMap() {}

    public static KeyCharacterMap load(int device) {
        return new KeyCharacterMap();
    }

    /** Null when a character has no key, as Android answers. */
    public KeyEvent[] getEvents(char[] characters) {
        List<KeyEvent> events = new ArrayList<>();
        for (char letter : characters) {
            boolean upper = letter >= 'A' && letter <= 'Z';
            int sign = PLAIN.indexOf(letter);
            int shifted = sign >= 0 || letter == 0 ? -1 : SHIFTED.indexOf(letter);
            int digit = sign >= 0 ? -1 : SHIFTED_DIGITS.indexOf(letter);
            int code;
            if (letter >= 'a' && letter <= 'z' || upper) {
                code = 29 + Character.toLowerCase(letter) - 'a';
            } else if (letter >= '0' && letter <= '9') {
                code = 7 + letter - '0';
            } else if (sign >= 0 || shifted >= 0) {
                code = CODES[Math.max(sign, shifted)];
            } else if (digit >= 0) {
                code = 7 + digit;
            } else {
                return null;
            }
            press(events, code, upper || shifted >= 0 || digit >= 0);
        }
        return events.toArray(new KeyEvent[0]);
    }

    private static void press(List<KeyEvent> events, int code, boolean shift) {
        int meta = shift ? SHIFT_ON : 0;
        if (shift) {
            events.add(event(KeyEvent.ACTION_DOWN, SHIFT_LEFT, meta));
        }
        events.add(event(KeyEvent.ACTION_DOWN, code, meta));
        events.add(event(KeyEvent.ACTION_UP, code, meta));
        if (shift) {
            events.add(event(KeyEvent.ACTION_UP, SHIFT_LEFT, 0));
        }
    }

    private static KeyEvent event(int action, int code, int meta) {
        return new KeyEvent(0, 0, action, code, 0, meta, VIRTUAL_KEYBOARD, 0, 0, InputDevice.SOURCE_KEYBOARD);
    }
}
