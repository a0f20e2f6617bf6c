package android.content.res;

import dev.fingertip.fakes.Bridge;
import java.util.Map;

public final class Configuration {
    public int densityDpi = ((Number) ((Map<?, ?>) Bridge.call("display")).get("density")).intValue();
}
