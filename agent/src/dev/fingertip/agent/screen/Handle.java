package dev.fingertip.agent.screen;

import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wrappers.SourceNodeId;

/** The name of a node in requests: by Android's number, or by its place in a snapshot. */
public final class Handle {
    /** By number: the window, and the node in it. */
    final int window;
    final long source;
    /** By place: which snapshot and which node; -1 when by number. */
    final int snapshot;
    final int index;

    private Handle(int window, long source, int snapshot, int index) {
        this.window = window;
        this.source = source;
        this.snapshot = snapshot;
        this.index = index;
    }

    /** Reads {@code W:V}, {@code W:V:D} or {@code #S.I}. */
    public static Handle parse(String text) throws Failure {
        try {
            if (text.startsWith("#")) {
                String[] parts = text.substring(1).split("\\.", -1);
                if (parts.length == 2) {
                    return new Handle(0, 0, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
                }
            } else {
                String[] parts = text.split(":", -1);
                if (parts.length == 2 || parts.length == 3) {
                    int part = parts.length == 3 ? Integer.parseInt(parts[2]) : SourceNodeId.WHOLE_VIEW;
                    return new Handle(Integer.parseInt(parts[0]), source(Integer.parseInt(parts[1]), part), -1, -1);
                }
            }
        } catch (NumberFormatException noNumber) {
            // Said below.
        }
        throw Fields.wrong("handle", "WINDOW:VIEW, WINDOW:VIEW:VIRTUAL or #SNAPSHOT.INDEX");
    }

    static long source(int view, int part) {
        return (long) part << 32 | view & 0xFFFFFFFFL;
    }

    static int view(long source) {
        return (int) source;
    }

    static int part(long source) {
        return (int) (source >> 32);
    }
}
