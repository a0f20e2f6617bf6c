package dev.fingertip.agent.wrappers;

import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Method;

/** The number by which Android itself addresses a node: a view in the low half, a part of it in the high half. */
public final class SourceNodeId {
    public static final Lookup<SourceNodeId> LOOKUP = new Lookup<>("SourceNodeId", SourceNodeId::new);

    /** The high half of a node that is the view itself. */
    public static final int WHOLE_VIEW = -1;

    private final Method getSourceNodeId;

    private SourceNodeId() throws ReflectiveOperationException {
        getSourceNodeId = Lookup.method(AccessibilityNodeInfo.class, "getSourceNodeId");
    }

    public long of(AccessibilityNodeInfo node) throws Failure {
        return (Long) Lookup.call(getSourceNodeId, node);
    }
}
