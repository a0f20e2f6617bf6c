package dev.fingertip.tests;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A second reading of PROTOCOL.md: the packed nodes of a snapshot as maps. */
final class Decoded {
    private static final String[] FIELDS = {
        "class", "text", "description", "hint", "resource_id", "package", "state", "pane", "error", "order", "range",
        "actions", "selection", "secret", "view", "virtual"
    };
    private static final int TEXTS = 9;

    private final Map<String, Object> snapshot;
    private final List<?> numbers;
    private int at;

    Decoded(Map<String, Object> snapshot) {
        this.snapshot = snapshot;
        numbers = (List<?>) snapshot.get("nodes");
    }

    List<Map<String, Object>> nodes() {
        List<Map<String, Object>> nodes = new ArrayList<>();
        while (at < numbers.size()) {
            nodes.add(node());
        }
        return nodes;
    }

    List<?> list(String name) {
        return (List<?>) snapshot.get(name);
    }

    String string(Object index) {
        int number = ((Number) index).intValue();
        return number < 0 ? null : (String) list("strings").get(number);
    }

    private Map<String, Object> node() {
        Map<String, Object> node = new HashMap<>();
        int present = next();
        node.put("depth", next());
        node.put("flags", next());
        node.put("bounds", next() + "," + next() + "," + next() + "," + next());
        for (int bit = 0; bit < FIELDS.length; bit++) {
            if ((present >> bit & 1) == 0) {
                continue;
            }
            int value = next();
            if (bit < TEXTS) {
                node.put(FIELDS[bit], string((long) value));
            } else if (FIELDS[bit].equals("actions")) {
                node.put("actions", names((List<?>) list("action_sets").get(value)));
            } else if (FIELDS[bit].equals("range")) {
                node.put("range", list("ranges").get(value));
            } else if (FIELDS[bit].equals("selection")) {
                node.put("selection", value + "," + next());
            } else {
                node.put(FIELDS[bit], value);
            }
        }
        return node;
    }

    private List<Object> names(List<?> set) {
        List<Object> names = new ArrayList<>();
        for (Object index : set) {
            names.add(((List<?>) list("actions").get(((Number) index).intValue())).get(1));
        }
        return names;
    }

    private int next() {
        return ((Number) numbers.get(at++)).intValue();
    }
}
