package dev.fingertip.agent.wrappers;

import dev.fingertip.agent.wire.Failure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * One hidden interface of Android: looked for once, kept, and its absence named.
 *
 * <p>All reflection of the agent goes through here. Programs started by {@code app_process} are not held to the list
 * of blocked interfaces, so plain reflection is enough.
 */
public final class Lookup<T> {
    /** Finds the members that are needed. */
    interface Finder<T> {
        T find() throws ReflectiveOperationException;
    }

    public final String name;
    private final Finder<T> finder;
    private T found;
    private String failure;

    Lookup(String name, Finder<T> finder) {
        this.name = name;
        this.finder = finder;
    }

    /** What was found; {@code unavailable} when it is not on this phone. */
    public synchronized T get() throws Failure {
        if (found == null && failure == null) {
            try {
                found = finder.find();
            } catch (ReflectiveOperationException | LinkageError | RuntimeException missing) {
                failure = words(missing);
            }
        }
        if (found == null) {
            throw new Failure(Failure.UNAVAILABLE, name + " is not on this phone: " + failure).with("wrapper", name);
        }
        return found;
    }

    /** Is not looked for at all: this form of the agent has no business there. */
    public synchronized void withhold(String why) {
        failure = why;
    }

    /** Why it is not there; {@code null} when it is. */
    public String failure() {
        try {
            get();
            return null;
        } catch (Failure absent) {
            return failure;
        }
    }

    private static String words(Throwable missing) {
        if (missing instanceof ClassNotFoundException) {
            return "no such class: " + missing.getMessage();
        }
        if (missing instanceof NoSuchMethodException) {
            return "no such method: " + missing.getMessage();
        }
        if (missing instanceof InvocationTargetException) {
            return String.valueOf(missing.getCause());
        }
        return missing.toString();
    }

    /** Calls it and throws what it throws. */
    static Object call(Method method, Object target, Object... arguments) throws Failure {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof RuntimeException) {
                throw (RuntimeException) thrown.getCause();
            }
            throw Failure.of(thrown.getCause());
        } catch (IllegalAccessException forbidden) {
            throw new Failure(Failure.UNAVAILABLE, method + " may not be called", forbidden);
        }
    }

    /** A method by name and parameters, public or not. */
    static Method method(Class<?> owner, String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = owner.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}
