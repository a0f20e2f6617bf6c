package dev.fingertip.app;

import android.accessibilityservice.AccessibilityService;
import android.content.Intent;
import android.view.accessibility.AccessibilityEvent;

/**
 * The accessibility service, by which the app sees and acts while its user has it switched on.
 *
 * <p>Android binds it at boot and again whenever it dies, so a server that is meant to run is seen to here too.
 */
public final class ScreenService extends AccessibilityService {
    @Override
    protected void onServiceConnected() {
        Fingertip fingertip = Fingertip.of(this);
        fingertip.platform.connected(this);
        fingertip.resume();
    }

    @Override
    public void onAccessibilityEvent(AccessibilityEvent event) {
        Fingertip.of(this).platform.happened(event);
    }

    @Override
    public void onInterrupt() {
        // Only for services that speak.
    }

    @Override
    public boolean onUnbind(Intent intent) {
        Fingertip.of(this).platform.disconnected(this);
        return false;
    }
}
