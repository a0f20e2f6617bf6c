package android.os;

import java.util.Map;

public final class Bundle extends BaseBundle {
    public Bundle() {}

    public CharSequence getCharSequence(String key) {
        return (CharSequence) values.get(key);
    }

    public void putCharSequence(String key, CharSequence value) {
        values.put(key, value);
    }

    public void putFloat(String key, float value) {
        values.put(key, value);
    }

    /** For the bridge. */
    public static Map<String, Object> valuesOf(Bundle bundle) {
        return bundle == null ? null : bundle.values;
    }
}
