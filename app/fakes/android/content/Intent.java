package android.content;

import android.net.Uri;
import java.util.HashMap;
import java.util.Map;

public class Intent {
    public static final String ACTION_BOOT_COMPLETED = "android.intent.action.BOOT_COMPLETED";
    public static final String ACTION_MY_PACKAGE_REPLACED = "android.intent.action.MY_PACKAGE_REPLACED";

    /** For the fakes. */
    public Class<?> type;
    private String action;
    private final Map<String, Boolean> flags = new HashMap<>();

    public Intent(String action) {
        this.action = action;
    }

    public Intent(String action, Uri data) {
        this.action = action;
    }

    public Intent(Context context, Class<?> type) {
        this.type = type;
    }

    public String getAction() {
        return action;
    }

    public Intent putExtra(String name, boolean value) {
        flags.put(name, value);
        return this;
    }

    public boolean hasExtra(String name) {
        return flags.containsKey(name);
    }

    public boolean getBooleanExtra(String name, boolean usual) {
        return flags.getOrDefault(name, usual);
    }

    public Intent setAction(String action) {
        this.action = action;
        return this;
    }
}
