package dev.fingertip.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import dev.fingertip.agent.wire.JsonWriter;
import java.util.Map;

/**
 * Takes orders of {@code fingertip phone install} on a computer, and answers how the app is.
 *
 * <p>The manifest lets in only who may dump the system's state: the shell of adb does, no app of a user's does.
 */
public final class ComputerReceiver extends BroadcastReceiver {
    static final String START = "dev.fingertip.app.START";
    private static final String NETWORK = "network";

    @Override
    public void onReceive(Context context, Intent intent) {
        Fingertip fingertip = Fingertip.of(context);
        if (START.equals(intent.getAction())) {
            if (intent.hasExtra(NETWORK)) {
                fingertip.preferences.setOnNetwork(intent.getBooleanExtra(NETWORK, false));
            }
            fingertip.start();
        }
        Map<String, Object> status = fingertip.server.status();
        JsonWriter out = new JsonWriter().object().field("connected", fingertip.platform.isConnected());
        out.field("state", Words.state(fingertip)).field("failed", fingertip.server.failure() != null);
        out.key("urls").array();
        if (status != null) {
            for (String url : Words.addresses(status)) {
                out.value(url);
            }
        }
        setResultCode(Activity.RESULT_OK);
        setResultData(new String(out.endArray().endObject().bytes(), UTF_8));
    }
}
