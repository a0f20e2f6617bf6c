package dev.fingertip.app;

import android.content.Context;
import android.content.Intent;
import java.io.File;

/** What the parts of the app share: settings, the way to the screen, and the one server. */
final class Fingertip {
    private static Fingertip only;

    final Context context;
    final Preferences preferences;
    final AppPlatform platform = new AppPlatform();
    final Server server;

    private Fingertip(Context context) {
        this.context = context;
        preferences = new Preferences(context);
        // Android lets apps run programs from here only, and only with such a name.
        File program = new File(context.getApplicationInfo().nativeLibraryDir, "libfingertip.so");
        server = new Server(program, context.getFilesDir(), preferences, platform, new Restarts());
    }

    static synchronized Fingertip of(Context context) {
        if (only == null) {
            only = new Fingertip(context.getApplicationContext());
        }
        return only;
    }

    /** The user wants it to serve, until it is switched off. */
    void start() {
        preferences.setServing(true);
        server.start();
        showNotification();
    }

    /** The user wants it to end. */
    void stop() {
        preferences.setServing(false);
        server.stop();
        context.stopService(new Intent(context, ServerService.class));
    }

    /** After the process or the phone began anew: serves where that is wanted. */
    void resume() {
        if (preferences.isServing() && !server.isOn()) {
            server.start();
            showNotification();
        }
    }

    /** Takes changed settings over; clients must connect again. */
    void apply() {
        if (server.isOn()) {
            server.restart();
        }
    }

    private void showNotification() {
        try {
            context.startForegroundService(new Intent(context, ServerService.class));
        } catch (IllegalStateException | SecurityException refused) {
            // Android does not always let an app do so from the background. The server runs all the same, for as long as
            // the accessibility service keeps the process.
            server.note("no notification: " + refused.getMessage());
        }
    }
}
