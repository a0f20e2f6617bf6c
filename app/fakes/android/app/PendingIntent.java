package android.app;

import android.content.Context;
import android.content.Intent;

public final class PendingIntent {
    public static final int FLAG_IMMUTABLE = 67108864;

    private final Context context;
    private final Intent intent;

    private PendingIntent(Context context, Intent intent) {
        this.context = context;
        this.intent = intent;
    }

    public static PendingIntent getActivity(Context context, int code, Intent intent, int flags) {
        return new PendingIntent(context, intent);
    }

    public static PendingIntent getService(Context context, int code, Intent intent, int flags) {
        return new PendingIntent(context, intent);
    }

    public void send() {
        context.startForegroundService(intent);
    }
}
