package android.app;

import android.os.Bundle;
import android.view.View;
import dev.fingertip.fakes.AppPhone;
import java.util.Arrays;

public class Activity extends android.content.ContextWrapper {
    public static final int RESULT_OK = -1;

    /** For the fakes. */
    public View content;

    protected void onCreate(Bundle saved) {}

    protected void onResume() {}

    protected void onPause() {}

    public void setContentView(View view) {
        content = view;
    }

    /** The user says yes. */
    public final void requestPermissions(String[] names, int code) {
        AppPhone.GRANTED.addAll(Arrays.asList(names));
    }
}
