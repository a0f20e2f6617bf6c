package dev.fingertip.agent.screen;

import dev.fingertip.agent.wire.Failure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last snapshots, for the handles they gave out. */
public final class History {
    /** How many are kept. */
    public static final int KEPT = 4;

    private static final class Entry {
        final int number;
        final List<Seen> nodes;

        Entry(int number, List<Seen> nodes) {
            this.number = number;
            this.nodes = nodes;
        }
    }

    private final Deque<Entry> entries = new ArrayDeque<>();
    private int last;

    /** Keeps the nodes of a snapshot and numbers it. */
    public synchronized int add(List<Seen> nodes) {
        entries.addFirst(new Entry(++last, nodes));
        if (entries.size() > KEPT) {
            entries.removeLast();
        }
        return last;
    }

    /** The node as it was in that snapshot, or in the newest that has it when {@code snapshot} is zero. */
    public synchronized Seen find(Handle handle, int snapshot) throws Failure {
        for (Entry entry : entries) {
            boolean wanted = snapshot == 0 || snapshot == entry.number;
            Seen found = wanted ? find(entry, handle) : null;
            if (found != null) {
                return found;
            }
        }
        throw new Failure(Failure.GONE, "no kept snapshot has this handle; take a new one");
    }

    private static Seen find(Entry entry, Handle handle) {
        if (handle.index >= 0) {
            boolean here = entry.number == handle.snapshot && handle.index < entry.nodes.size();
            return here ? entry.nodes.get(handle.index) : null;
        }
        for (Seen seen : entry.nodes) {
            if (seen.source != null && seen.source == handle.source && seen.window == handle.window) {
                return seen;
            }
        }
        return null;
    }
}
