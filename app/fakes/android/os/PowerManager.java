package android.os;

import dev.fingertip.fakes.AppPhone;

public final class PowerManager {
    public boolean isIgnoringBatteryOptimizations(String name) {
        return !AppPhone.savesBattery;
    }
}
