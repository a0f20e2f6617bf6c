package dev.fingertip.agent.text;

import dev.fingertip.agent.wire.Failure;

/** A field that text goes into, and the three ways into it. A test's stands in for the phone's. */
interface TextField {
    /** What it holds now, without its hint; {@code null} when that cannot be read. */
    String read() throws Failure;

    /** How many characters it holds now, where not what they are; -1 when not even that is known. */
    int secretLength();

    /** Start and end of the selection; {@code null} when unknown. */
    int[] selection();

    /** Replaces all of it; {@code false} when the app does not take that. */
    boolean setText(String text) throws Failure;

    /** Puts cursor or selection there; {@code false} when the app does not take that. */
    boolean select(int start, int end) throws Failure;

    /** Puts the text on the clipboard and pastes it; {@code false} when nothing takes it. */
    boolean paste(String text) throws Failure;

    /** Puts the clipboard back to what it was before the first paste. */
    void restoreClipboard() throws Failure;

    /** Types it key by key; {@code false} when a character has no key. */
    boolean type(String text) throws Failure;

    /** Deletes the selection by key. */
    void delete() throws Failure;
}
