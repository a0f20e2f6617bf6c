package android.app;

import android.content.Context;
import android.graphics.drawable.Icon;

public class Notification {
    /** For the fakes. */
    public CharSequence text;
    public Action action;

    public static class Action {
        public CharSequence title;
        public PendingIntent actionIntent;

        public static final class Builder {
            private final Action made = new Action();

            public Builder(Icon icon, CharSequence title, PendingIntent intent) {
                made.title = title;
                made.actionIntent = intent;
            }

            public Action build() {
                return made;
            }
        }
    }

    public static class Builder {
        private final Notification made = new Notification();

        public Builder(Context context, String channel) {}

        public Builder setSmallIcon(int icon) {
            return this;
        }

        public Builder setContentTitle(CharSequence title) {
            return this;
        }

        public Builder setContentText(CharSequence text) {
            made.text = text;
            return this;
        }

        public Builder setContentIntent(PendingIntent intent) {
            return this;
        }

        public Builder setOngoing(boolean ongoing) {
            return this;
        }

        public Builder addAction(Action action) {
            made.action = action;
            return this;
        }

        public Notification build() {
            return made;
        }
    }
}
