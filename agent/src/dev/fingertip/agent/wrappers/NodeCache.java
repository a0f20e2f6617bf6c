package dev.fingertip.agent.wrappers;

import android.app.UiAutomation;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Method;

/** Empties the cache of nodes, so that a snapshot shows the screen and not what it was. */
public final class NodeCache {
    public static final Lookup<NodeCache> LOOKUP = new Lookup<>("InteractionClient", NodeCache::new);

    /** {@code UiAutomation.clearCache}, from Android 14 on. */
    private Method ownClear;
    /** {@code AccessibilityInteractionClient.getInstance}, where there is no such method. */
    private Method client;
    /** {@code clearCache} of the client: with the connection's number from Android 13 on, without it before. */
    private Method clientClear;
    private Method connectionId;

    private NodeCache() throws ReflectiveOperationException {
        try {
            ownClear = UiAutomation.class.getMethod("clearCache");
            return;
        } catch (NoSuchMethodException older) {
            // The client below is what it calls.
        }
        Class<?> type = Class.forName("android.view.accessibility.AccessibilityInteractionClient");
        client = Lookup.method(type, "getInstance");
        try {
            clientClear = Lookup.method(type, "clearCache", int.class);
            connectionId = Lookup.method(UiAutomation.class, "getConnectionId");
        } catch (NoSuchMethodException older) {
            clientClear = Lookup.method(type, "clearCache");
        }
    }

    public void clear(UiAutomation automation) throws Failure {
        if (ownClear != null) {
            Lookup.call(ownClear, automation);
            return;
        }
        Object instance = Lookup.call(client, null);
        if (connectionId == null) {
            Lookup.call(clientClear, instance);
        } else {
            Lookup.call(clientClear, instance, Lookup.call(connectionId, automation));
        }
    }
}
