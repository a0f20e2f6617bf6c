package android.view.accessibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

public class AccessibilityRecord {
    final Map<String, Object> fields;

    AccessibilityRecord(Map<String, Object> fields) {
        this.fields = fields;
    }

    public CharSequence getClassName() {
        return (String) fields.get("class");
    }

    public List<CharSequence> getText() {
        List<CharSequence> texts = new ArrayList<>();
        for (Object text : (List<?>) fields.get("text")) {
            texts.add((String) text);
        }
        return texts;
    }
}
