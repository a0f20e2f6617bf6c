package dev.fingertip.agent.wrappers;

import android.app.UiAutomation;
import android.os.Looper;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.TimeoutException;

/** Makes, connects and disconnects a {@link UiAutomation}, as Android's own shell tools do. */
public final class AutomationAccess {
    public static final Lookup<AutomationAccess> LOOKUP = new Lookup<>("UiAutomation", AutomationAccess::new);

    /** What the system says to the second one that wants it. */
    private static final String TAKEN = "already registered";

    private final Constructor<?> newConnection;
    private final Constructor<UiAutomation> newAutomation;
    private final Method connect;
    private final Method disconnect;

    private AutomationAccess() throws ReflectiveOperationException {
        newConnection = Class.forName("android.app.UiAutomationConnection").getDeclaredConstructor();
        newConnection.setAccessible(true);
        // The Looper form is there from Android 10 to 15 and later; the newer one wants a Context, which a program
        // without an app does not have.
        Class<?> connection = Class.forName("android.app.IUiAutomationConnection");
        newAutomation = UiAutomation.class.getDeclaredConstructor(Looper.class, connection);
        newAutomation.setAccessible(true);
        connect = Lookup.method(UiAutomation.class, "connect", int.class);
        disconnect = Lookup.method(UiAutomation.class, "disconnect");
    }

    /** A connected one. {@code busy} when another tool has it. */
    public UiAutomation connect(Looper looper, int flags) throws Failure {
        try {
            UiAutomation automation = newAutomation.newInstance(looper, newConnection.newInstance());
            Lookup.call(connect, automation, flags);
            return automation;
        } catch (InvocationTargetException thrown) {
            throw Failure.of(thrown.getCause());
        } catch (ReflectiveOperationException forbidden) {
            throw Failure.of(forbidden);
        } catch (RuntimeException refused) {
            throw explain(refused);
        }
    }

    public void disconnect(UiAutomation automation) throws Failure {
        Lookup.call(disconnect, automation);
    }

    private static Failure explain(RuntimeException refused) {
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && cause.getMessage().contains(TAKEN)) {
                return new Failure(Failure.BUSY, "UiAutomation is held by another tool", refused);
            }
            if (cause instanceof TimeoutException) {
                return new Failure(Failure.TIMEOUT, "Android did not connect UiAutomation in time", refused);
            }
        }
        return Failure.of(refused);
    }
}
