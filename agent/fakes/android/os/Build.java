package android.os;

import dev.fingertip.fakes.Bridge;
import java.util.Map;

public class Build {
    private static final Map<?, ?> BOOT = (Map<?, ?>) Bridge.call("boot");

    public static final String MODEL = (String) BOOT.get("model");

    public static class VERSION {
        public static final int SDK_INT = ((Number) BOOT.get("sdk")).intValue();
        public static final String RELEASE = (String) BOOT.get("release");
    }

    public static class VERSION_CODES {
        public static final int P = 28;
        public static final int R = 30;
        public static final int S = 31;
        public static final int TIRAMISU = 33;
    }
}
