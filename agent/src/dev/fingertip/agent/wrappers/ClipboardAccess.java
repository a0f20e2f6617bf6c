package dev.fingertip.agent.wrappers;

import android.content.ClipData;
import android.os.Build;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.Method;

/**
 * The clipboard service, spoken to directly: there is no app here for which Android would make a manager.
 *
 * <p>Its methods have grown parameters over the releases (a user, then an attribution tag, then a device) and only
 * ever so; each is filled by type: the clip, our package as the first text, no other text, zero for numbers.
 */
public final class ClipboardAccess implements Clipboard {
    public static final Lookup<ClipboardAccess> LOOKUP = new Lookup<>("Clipboard", ClipboardAccess::new);

    /** The package that belongs to the user a shell runs as. */
    private static final String SHELL = "com.android.shell";

    private final Object service;
    private final Method get;
    private final Method set;
    /** {@code null} before Android 9, which has no way to empty it. */
    private final Method clear;

    private ClipboardAccess() throws ReflectiveOperationException {
        Class<?> services = Class.forName("android.os.ServiceManager");
        Object binder = Lookup.method(services, "getService", String.class).invoke(null, "clipboard");
        if (binder == null) {
            throw new ReflectiveOperationException("this phone has no clipboard service");
        }
        Class<?> stub = Class.forName("android.content.IClipboard$Stub");
        Class<?> binderType = Class.forName("android.os.IBinder");
        service = Lookup.method(stub, "asInterface", binderType).invoke(null, binder);
        Class<?> type = Class.forName("android.content.IClipboard");
        get = byName(type, "getPrimaryClip");
        set = byName(type, "setPrimaryClip");
        clear = Build.VERSION.SDK_INT >= Build.VERSION_CODES.P ? byName(type, "clearPrimaryClip") : null;
    }

    @Override
    public boolean isReadable() {
        return true;
    }

    @Override
    public ClipData get() throws Failure {
        return (ClipData) call(get, null);
    }

    /** Before Android 9 it is emptied by an empty text. */
    @Override
    public void set(ClipData clip) throws Failure {
        if (clip == null && clear != null) {
            call(clear, null);
        } else {
            call(set, clip == null ? ClipData.newPlainText(null, "") : clip);
        }
    }

    private Object call(Method method, ClipData clip) throws Failure {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        boolean named = false;
        for (int index = 0; index < types.length; index++) {
            if (types[index] == ClipData.class) {
                arguments[index] = clip;
            } else if (types[index] == String.class && !named) {
                arguments[index] = SHELL;
                named = true;
            } else if (types[index] == int.class) {
                arguments[index] = 0;
            }
        }
        return Lookup.call(method, service, arguments);
    }

    private static Method byName(Class<?> type, String name) throws NoSuchMethodException {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name);
    }
}
