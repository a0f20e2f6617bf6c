package dev.fingertip.agent.wrappers;

import java.util.Arrays;
import java.util.List;

/** All hidden interfaces the agent may need, for the report in hello. */
public final class Wrappers {
    private Wrappers() {}

    public static List<Lookup<?>> all() {
        return Arrays.asList(
            AutomationAccess.LOOKUP,
            NodeCache.LOOKUP,
            SourceNodeId.LOOKUP,
            InputAccess.LOOKUP,
            ClipboardAccess.LOOKUP,
            DisplayAccess.LOOKUP,
            SystemLife.LOOKUP);
    }
}
