package dev.fingertip.fakes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Windows and nodes of the phone at one moment. Fetched again only when the phone has changed. */
public final class Model {
    /** One window. */
    public static final class Window {
        public final Map<String, Object> fields;
        /** {@code null} when the root is not there just now. */
        public final Node root;

        Window(Map<String, Object> fields, Node root) {
            this.fields = fields;
            this.root = root;
        }

        public int number(String name) {
            return ((Number) fields.get(name)).intValue();
        }
    }

    /** Makes an action of a number and a label. */
    public interface ActionMaker<T> {
        T make(int id, CharSequence label);
    }

    /** One node: the list of BRIDGE.md, and its children. */
    public static final class Node {
        public final int window;
        public final long key;
        private final List<?> fields;
        public final List<Node> children = new ArrayList<>();
        private List<Object> actions;

        Node(int window, List<?> fields) {
            this.window = window;
            this.fields = fields;
            key = ((Number) fields.get(0)).longValue();
        }

        public String text(int index) {
            return (String) fields.get(index);
        }

        public int number(int index) {
            return ((Number) fields.get(index)).intValue();
        }

        public List<?> list(int index) {
            return (List<?>) fields.get(index);
        }

        /** What it takes; made once, as Android's nodes have them from the start. */
        @SuppressWarnings("unchecked")
        public synchronized <T> List<T> actions(ActionMaker<T> maker) {
            if (actions == null) {
                Map<?, ?> labels = (Map<?, ?>) rare().get("labels");
                List<Object> made = new ArrayList<>();
                for (Object id : list(15)) {
                    Object label = labels == null ? null : labels.get(id.toString());
                    made.add(maker.make(((Number) id).intValue(), (String) label));
                }
                actions = made;
            }
            return (List<T>) actions;
        }

        /** What only few nodes have. */
        public Map<?, ?> rare() {
            return fields.size() > 17 ? (Map<?, ?>) fields.get(17) : Collections.emptyMap();
        }
    }

    private static Model newest = new Model();

    private long generation = -1;
    public final List<Window> windows = new ArrayList<>();
    private final Map<Long, Node> byKey = new HashMap<>();

    /** The phone now. */
    @SuppressWarnings("unchecked")
    public static synchronized Model now() {
        Map<String, Object> reply = (Map<String, Object>) Bridge.call("windows", "generation", newest.generation);
        if (reply.containsKey("windows")) {
            Model model = new Model();
            model.generation = ((Number) reply.get("generation")).longValue();
            for (Object window : (List<?>) reply.get("windows")) {
                model.add((Map<String, Object>) window);
            }
            newest = model;
        }
        return newest;
    }

    /** The node of that key; {@code null} when there is none. */
    public Node find(long key) {
        return byKey.get(key);
    }

    public Window window(int id) {
        for (Window window : windows) {
            if (window.number("id") == id) {
                return window;
            }
        }
        return null;
    }

    public Iterable<Node> nodes() {
        return byKey.values();
    }

    private void add(Map<String, Object> fields) {
        List<?> nodes = (List<?>) fields.get("nodes");
        int id = ((Number) fields.get("id")).intValue();
        Node root = nodes == null ? null : build(nodes.iterator(), id);
        windows.add(new Window(fields, root));
    }

    private Node build(Iterator<?> nodes, int window) {
        Node node = new Node(window, (List<?>) nodes.next());
        byKey.put(node.key, node);
        for (int left = node.number(16); left > 0; left--) {
            node.children.add(build(nodes, window));
        }
        return node;
    }
}
