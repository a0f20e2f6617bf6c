package android.os;

import dev.fingertip.fakes.Bridge;
import java.util.Map;

public class Build {
    public static class VERSION {
        public static final int SDK_INT = ((Number) ((Map<?, ?>) Bridge.call("boot")).get("sdk")).intValue();
    }

    public static class VERSION_CODES {
        public static final int P = 28;
        public static final int R = 30;
        public static final int S = 31;
    }
}
