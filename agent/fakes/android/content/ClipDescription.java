package android.content;

import android.os.PersistableBundle;

public class ClipDescription {
    public static final String EXTRA_IS_SENSITIVE = "android.content.extra.IS_SENSITIVE";

    ClipDescription() {}

    public void setExtras(PersistableBundle extras) {}
}
