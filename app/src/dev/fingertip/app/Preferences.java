package dev.fingertip.app;

import android.content.Context;
import android.content.SharedPreferences;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** What the user has set. Every getter has the value that is in force when nothing was set. */
final class Preferences {
    static final int USUAL_PORT = 8080;
    /** Apps may not use lower ports. */
    static final int LEAST_PORT = 1024;
    static final int MOST_PORT = 65_535;
    private static final int TOKEN_BYTES = 32;

    private final SharedPreferences stored;

    Preferences(Context context) {
        stored = context.getSharedPreferences("fingertip", Context.MODE_PRIVATE);
    }

    /** Whether the server is meant to run. */
    boolean isServing() {
        return stored.getBoolean("serving", false);
    }

    void setServing(boolean serving) {
        stored.edit().putBoolean("serving", serving).apply();
    }

    int port() {
        return stored.getInt("port", USUAL_PORT);
    }

    /** {@code false}, with nothing changed, for what is no port an app may use. */
    boolean setPort(String text) {
        int port;
        try {
            port = Integer.parseInt(text.trim());
        } catch (NumberFormatException noNumber) {
            return false;
        }
        if (port < LEAST_PORT || port > MOST_PORT) {
            return false;
        }
        stored.edit().putInt("port", port).apply();
        return true;
    }

    /** Whether other machines reach the server; otherwise only programs on this phone do. */
    boolean isOnNetwork() {
        return stored.getBoolean("network", false);
    }

    void setOnNetwork(boolean on) {
        stored.edit().putBoolean("network", on).apply();
    }

    boolean usesTls() {
        return stored.getBoolean("tls", true);
    }

    void setTls(boolean on) {
        stored.edit().putBoolean("tls", on).apply();
    }

    boolean startsAtBoot() {
        return stored.getBoolean("boot", false);
    }

    void setStartsAtBoot(boolean on) {
        stored.edit().putBoolean("boot", on).apply();
    }

    boolean isReadOnly() {
        return stored.getBoolean("read_only", false);
    }

    void setReadOnly(boolean on) {
        stored.edit().putBoolean("read_only", on).apply();
    }

    /** Packages, with {@code *} as in the server's own {@code --block-app}, beside those blocked anyway. */
    List<String> blockedApps() {
        List<String> apps = new ArrayList<>();
        for (String app : stored.getString("blocked", "").split("[\\s,]+")) {
            if (!app.isEmpty()) {
                apps.add(app);
            }
        }
        return apps;
    }

    void setBlockedApps(String text) {
        stored.edit().putString("blocked", text.trim()).apply();
    }

    /** What clients must know; made at the first look. */
    synchronized String token() {
        String token = stored.getString("token", null);
        return token == null ? renewToken() : token;
    }

    synchronized String renewToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        StringBuilder token = new StringBuilder();
        for (byte value : bytes) {
            token.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        stored.edit().putString("token", token.toString()).apply();
        return token.toString();
    }
}
