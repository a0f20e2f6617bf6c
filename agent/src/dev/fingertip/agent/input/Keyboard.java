package dev.fingertip.agent.input;

import dev.fingertip.agent.wire.Failure;

/** Keys, for the window with the keyboard. */
public interface Keyboard {
    /** Lets typing go on, or fails; asked before and after so many characters. */
    interface Guard {
        void mustHold(int typed, int all) throws Failure;
    }

    /** Presses a key, with what is held; {@code unsupported}, with nothing pressed, where there is no such key. */
    void press(int code, int meta, int holdMs) throws Failure;

    /** Types a text; {@code false}, with nothing typed, when it has no way to write all of it. */
    boolean type(String text) throws Failure;
}
