package android.app;

import android.content.Intent;
import android.os.IBinder;
import dev.fingertip.fakes.AppPhone;

public abstract class Service extends android.content.ContextWrapper {
    public static final int START_STICKY = 1;
    public static final int START_NOT_STICKY = 2;

    public abstract IBinder onBind(Intent intent);

    public int onStartCommand(Intent intent, int flags, int startId) {
        return START_STICKY;
    }

    public void onDestroy() {}

    public boolean onUnbind(Intent intent) {
        return false;
    }

    public final void startForeground(int id, Notification notification, int type) {
        AppPhone.shown = notification;
    }

    public final void stopSelf() {
        if (AppPhone.running == this) {
            AppPhone.running = null;
            AppPhone.shown = null;
            onDestroy();
        }
    }
}
