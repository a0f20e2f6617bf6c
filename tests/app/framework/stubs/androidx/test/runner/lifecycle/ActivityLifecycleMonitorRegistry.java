package androidx.test.runner.lifecycle;

public final class ActivityLifecycleMonitorRegistry {
    private static ActivityLifecycleMonitor monitor;

    private ActivityLifecycleMonitorRegistry() {}

    public static void registerInstance(ActivityLifecycleMonitor instance) {
        monitor = instance;
    }

    public static ActivityLifecycleMonitor getInstance() {
        return monitor;
    }
}
