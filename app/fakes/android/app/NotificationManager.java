package android.app;

import dev.fingertip.fakes.AppPhone;

public class NotificationManager {
    public static final int IMPORTANCE_LOW = 2;

    public void createNotificationChannel(NotificationChannel channel) {}

    public void notify(int id, Notification notification) {
        AppPhone.shown = notification;
    }
}
