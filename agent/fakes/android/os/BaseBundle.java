package android.os;

import java.util.LinkedHashMap;
import java.util.Map;

public class BaseBundle {
    final Map<String, Object> values = new LinkedHashMap<>();

    BaseBundle() {}

    public void putBoolean(String key, boolean value) {
        values.put(key, value);
    }

    public void putInt(String key, int value) {
        values.put(key, value);
    }
}
