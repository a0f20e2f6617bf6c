package dev.fingertip.tests;

import dev.fingertip.agent.input.GestureTest;
import dev.fingertip.agent.screen.WindowDumpTest;
import dev.fingertip.agent.text.TextEntryTest;
import dev.fingertip.agent.wire.FrameTest;
import dev.fingertip.agent.wire.JsonTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Runs every public method without parameters of the classes below, each on an object of its own.
 *
 * <p>Arguments are parts of names to choose by. Ends with 1 when one failed or none was chosen.
 */
public final class Tests {
    private static final Class<?>[] CLASSES = {
        JsonTest.class,
        FrameTest.class,
        GestureTest.class,
        TextEntryTest.class,
        WindowDumpTest.class,
        StartTest.class,
        WireTest.class,
        SnapshotTest.class,
        ActTest.class,
        TypeTest.class,
        InputTest.class,
        EventTest.class,
        HolderTest.class,
        WrapperTest.class,
    };

    private Tests() {}

    public static void main(String[] parts) {
        int run = 0;
        int failed = 0;
        for (Class<?> type : CLASSES) {
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                String name = type.getSimpleName() + "." + method.getName();
                boolean test = Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0;
                if (test && !method.getName().equals("close") && isChosen(name, parts)) {
                    run++;
                    failed += passes(type, method, name) ? 0 : 1;
                }
            }
        }
        System.out.println(run + " tests, " + failed + " failed");
        System.exit(failed == 0 && run > 0 ? 0 : 1);
    }

    private static boolean isChosen(String name, String[] parts) {
        return parts.length == 0 || Arrays.stream(parts).anyMatch(name::contains);
    }

    private static boolean passes(Class<?> type, Method method, String name) {
        try {
            Object test = type.getDeclaredConstructor().newInstance();
            try {
                method.invoke(test);
            } finally {
                if (test instanceof AutoCloseable) {
                    ((AutoCloseable) test).close();
                }
            }
            System.out.println("ok      " + name);
            return true;
        } catch (InvocationTargetException thrown) {
            System.out.println("FAILED  " + name);
            thrown.getCause().printStackTrace(System.out);
        } catch (Exception broken) {
            System.out.println("FAILED  " + name);
            broken.printStackTrace(System.out);
        }
        return false;
    }
}
