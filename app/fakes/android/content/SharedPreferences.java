package android.content;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public interface SharedPreferences {
    interface Editor {
        Editor putString(String key, String value);

        Editor putInt(String key, int value);

        Editor putBoolean(String key, boolean value);

        void apply();
    }

    String getString(String key, String usual);

    int getInt(String key, int usual);

    boolean getBoolean(String key, boolean usual);

    Editor edit();

    /** In memory. */
    final class Stored implements SharedPreferences {
        private final Map<String, Object> values = new ConcurrentHashMap<>();

        @Override
        public String getString(String key, String usual) {
            return values.containsKey(key) ? (String) values.get(key) : usual;
        }

        @Override
        public int getInt(String key, int usual) {
            return (Integer) values.getOrDefault(key, usual);
        }

        @Override
        public boolean getBoolean(String key, boolean usual) {
            return (Boolean) values.getOrDefault(key, usual);
        }

        @Override
        public Editor edit() {
            return new Editor() {
                private final Map<String, Object> changed = new ConcurrentHashMap<>();

                @Override
                public Editor putString(String key, String value) {
                    changed.put(key, value);
                    return this;
                }

                @Override
                public Editor putInt(String key, int value) {
                    changed.put(key, value);
                    return this;
                }

                @Override
                public Editor putBoolean(String key, boolean value) {
                    changed.put(key, value);
                    return this;
                }

                @Override
                public void apply() {
                    values.putAll(changed);
                }
            };
        }
    }
}
