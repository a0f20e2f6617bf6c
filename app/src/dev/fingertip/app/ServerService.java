package dev.fingertip.app;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.Service;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;

/** Keeps the process while the server is on, and shows that it is: a notification with a button that stops it. */
public final class ServerService extends Service {
    static final String STOP = "dev.fingertip.app.STOP";
    private static final String CHANNEL = "server";
    private static final int NUMBER = 1;
    /** How often the notification is brought up to date. */
    private static final long LOOK_EVERY_MS = 3_000;

    private Handler handler;
    private String shown;

    @Override
    public int onStartCommand(Intent intent, int flags, int startId) {
        Fingertip fingertip = Fingertip.of(this);
        getSystemService(NotificationManager.class).createNotificationChannel(
            new NotificationChannel(CHANNEL, getString(R.string.channel), NotificationManager.IMPORTANCE_LOW));
        // First of all, since Android ends an app that does not show itself in time.
        shown = Words.state(fingertip);
        startForeground(NUMBER, notification(shown), ServiceInfo.FOREGROUND_SERVICE_TYPE_CONNECTED_DEVICE);
        if (intent != null && STOP.equals(intent.getAction())) {
            fingertip.stop();
            stopSelf();
            return START_NOT_STICKY;
        }
        // After the process was ended, Android starts this service again by itself.
        fingertip.resume();
        if (handler == null) {
            handler = new Handler(Looper.getMainLooper());
            handler.postDelayed(this::refresh, LOOK_EVERY_MS);
        }
        return START_STICKY;
    }

    @Override
    public void onDestroy() {
        if (handler != null) {
            handler.removeCallbacksAndMessages(null);
        }
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }

    private void refresh() {
        String now = Words.state(Fingertip.of(this));
        if (!now.equals(shown)) {
            shown = now;
            getSystemService(NotificationManager.class).notify(NUMBER, notification(now));
        }
        handler.postDelayed(this::refresh, LOOK_EVERY_MS);
    }

    private Notification notification(String text) {
        PendingIntent open = PendingIntent.getActivity(
            this, 0, new Intent(this, SettingsActivity.class), PendingIntent.FLAG_IMMUTABLE);
        PendingIntent stop = PendingIntent.getService(
            this, 0, new Intent(this, ServerService.class).setAction(STOP), PendingIntent.FLAG_IMMUTABLE);
        return new Notification.Builder(this, CHANNEL)
            .setSmallIcon(R.drawable.icon)
            .setContentTitle(getString(R.string.name))
            .setContentText(text)
            .setContentIntent(open)
            .setOngoing(true)
            .addAction(new Notification.Action.Builder(null, getString(R.string.stop), stop).build())
            .build();
    }
}
