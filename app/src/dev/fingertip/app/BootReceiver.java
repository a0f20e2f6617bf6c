package dev.fingertip.app;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Starts the server with the phone, where its user wants that. */
public final class BootReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        String action = intent.getAction();
        boolean booted = Intent.ACTION_BOOT_COMPLETED.equals(action);
        Fingertip fingertip = Fingertip.of(context);
        if (booted && fingertip.preferences.startsAtBoot()) {
            fingertip.start();
        } else if (Intent.ACTION_MY_PACKAGE_REPLACED.equals(action)) {
            // An update has ended the server.
            fingertip.resume();
        }
    }
}
