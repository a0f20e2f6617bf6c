package dev.fingertip.tests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A node of the pretended phone, as BRIDGE.md lists it. */
final class TestNode {
    static final int CHECKABLE = 1;
    static final int CLICKABLE = 1 << 2;
    static final int ENABLED = 1 << 3;
    static final int FOCUSABLE = 1 << 4;
    static final int FOCUSED = 1 << 5;
    static final int PASSWORD = 1 << 8;
    static final int EDITABLE = 1 << 10;
    static final int VISIBLE = 1 << 11;
    static final int SHOWING_HINT = 1 << 12;

    final long key;
    final String className;
    String text = "";
    String description = "";
    String hint = "";
    String resourceId = "";
    int left;
    int top;
    int flags = ENABLED | VISIBLE;
    List<Double> range;
    List<Integer> actions = new ArrayList<>();
    final Map<String, Object> rare = new LinkedHashMap<>();
    final List<TestNode> children = new ArrayList<>();
    int selection = -1;

    TestNode(long key, String className) {
        this.key = key;
        this.className = className;
        top = (int) (key % 1000) * 50;
    }

    TestNode text(String value) {
        text = value;
        return this;
    }

    TestNode id(String value) {
        resourceId = value;
        return this;
    }

    TestNode with(int more) {
        flags |= more;
        return this;
    }

    TestNode takes(Integer... ids) {
        actions = new ArrayList<>(Arrays.asList(ids));
        return this;
    }

    void addTo(List<Object> nodes) {
        String shown = (flags & PASSWORD) == 0 ? text : text.replaceAll("(?s).", "\u2022");
        boolean empty = text.isEmpty() && !hint.isEmpty();
        Object cursor = selection < 0 || empty ? null : Arrays.asList(selection, selection);
        List<Object> node = new ArrayList<>(Arrays.asList(
            key, className, empty ? hint : shown, description, hint, resourceId, "com.example", left, top, left + 200, top + 50,
            empty ? flags | SHOWING_HINT : flags, 1, range, cursor, actions, children.size()));
        if (!rare.isEmpty()) {
            node.add(rare);
        }
        nodes.add(node);
        for (TestNode child : children) {
            child.addTo(nodes);
        }
    }
}
