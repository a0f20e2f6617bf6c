package dev.fingertip.agent.wrappers;

import android.os.IBinder;
import android.os.RemoteException;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Method;

/**
 * Tells when the system server dies, as it does when a phone restarts without switching itself off.
 *
 * <p>A program started over adb survives that, but every connection it has to the system is dead.
 */
public final class SystemLife {
    public static final Lookup<SystemLife> LOOKUP = new Lookup<>("ServiceManager", SystemLife::new);

    /** Lives in the system server on every phone. */
    private static final String SERVICE = "window";

    private final Method getService;

    private SystemLife() throws ReflectiveOperationException {
        getService = Lookup.method(Class.forName("android.os.ServiceManager"), "getService", String.class);
    }

    /** Runs it when the system server dies, or at once when it is not there. */
    public static void onDeath(Runnable farewell) throws Failure {
        if (LOOKUP.failure() != null) {
            // Named in hello; the agent then ends by its idle time at the latest.
            return;
        }
        IBinder service = (IBinder) Lookup.call(LOOKUP.get().getService, null, SERVICE);
        try {
            if (service != null) {
                service.linkToDeath(farewell::run, 0);
                return;
            }
        } catch (RemoteException dead) {
            // As if it had not been there.
        }
        farewell.run();
    }
}
