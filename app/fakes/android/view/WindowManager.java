package android.view;

public interface WindowManager {
    WindowMetrics getMaximumWindowMetrics();

    /** The phone's. */
    final class Only implements WindowManager {
        @Override
        public WindowMetrics getMaximumWindowMetrics() {
            return new WindowMetrics();
        }
    }
}
