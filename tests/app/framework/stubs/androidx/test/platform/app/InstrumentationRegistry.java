package androidx.test.platform.app;

import android.app.Instrumentation;
import android.os.Bundle;

public final class InstrumentationRegistry {
    private static Instrumentation instrumentation;

    private InstrumentationRegistry() {}

    public static void registerInstance(Instrumentation instance, Bundle arguments) {
        instrumentation = instance;
    }

    public static Instrumentation getInstrumentation() {
        return instrumentation;
    }
}
