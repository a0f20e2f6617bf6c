package dev.fingertip.app;

import android.content.Context;
import dev.fingertip.agent.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The words for people about the state of the app. */
final class Words {
    private static final int SHOWN_CALLS = 12;
    private static final int SHOWN_LINES = 12;

    private Words() {}

    /** How the server is, in one sentence. */
    static String state(Fingertip fingertip) {
        Context context = fingertip.context;
        if (fingertip.server.isTesting()) {
            return context.getString(R.string.testing);
        }
        Map<String, Object> status = fingertip.server.status();
        if (status != null) {
            int text = fingertip.platform.isConnected() ? R.string.serving : R.string.serving_blind;
            return context.getString(text, String.join("\n", addresses(status)));
        }
        String failure = fingertip.server.failure();
        if (failure != null) {
            boolean taken = failure.contains("already in use");
            return taken
                ? context.getString(R.string.port_taken, fingertip.preferences.port())
                : context.getString(R.string.failed, failure);
        }
        return context.getString(fingertip.server.isOn() ? R.string.starting : R.string.off);
    }

    /** Where it is reached, the likeliest first. */
    static List<String> addresses(Map<String, Object> status) {
        List<String> addresses = new ArrayList<>();
        for (Object url : (List<?>) status.get("urls")) {
            addresses.add((String) url);
        }
        return addresses;
    }

    /** The last calls that changed something: time, tool, how it ended. */
    static String calls(Server server) {
        StringBuilder text = new StringBuilder();
        for (String line : server.calls(SHOWN_CALLS)) {
            try {
                Map<String, Object> call = Json.parseObject(line);
                text.append(call.get("time")).append("  ").append(call.get("tool"));
                text.append("  ").append(call.get("outcome")).append('\n');
            } catch (Json.Malformed cut) {
                // A line that is being written.
            }
        }
        return text.toString().trim();
    }

    static String log(Server server) {
        List<String> lines = server.log();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }
}
