package dev.fingertip.tests;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a snapshot shows. */
public final class SnapshotTest extends Example {
    public SnapshotTest() throws Exception {}

    private static Map<String, Object> byText(List<Map<String, Object>> nodes, String field, String value) {
        for (Map<String, Object> node : nodes) {
            if (value.equals(node.get(field))) {
                return node;
            }
        }
        throw new AssertionError("no node has " + field + " " + value + ": " + nodes);
    }

    private static boolean has(Map<String, Object> node, int flag) {
        return ((Integer) node.get("flags") & flag) != 0;
    }

    public void theWindowAndTheScreenAreTold() throws Exception {
        Map<String, Object> snapshot = snapshot();
        Decoded decoded = new Decoded(snapshot);
        List<?> window = (List<?>) decoded.list("windows").get(0);
        Check.equal(Arrays.asList(3L, 1L, 2L, 0L, 0L, 1080L, 2400L, 3L), window.subList(0, 8));
        Check.equal("Example", decoded.string(window.get(8)));
        Check.equal("com.example", decoded.string(window.get(9)));
        Check.equal(Arrays.asList(0L, 8L), window.subList(10, 12));
        Check.equal(1080L, snapshot.get("width"));
        Check.equal(420L, snapshot.get("density"));
        Check.equal(null, snapshot.get("cut"));
        Check.equal(null, snapshot.get("quiet_ms"));
    }

    public void aNodeHasAllItsAttributes() throws Exception {
        List<Map<String, Object>> nodes = new Decoded(snapshot()).nodes();
        Check.equal(8, nodes.size());
        Check.equal(0, nodes.get(0).get("depth"));
        Map<String, Object> button = byText(nodes, "text", "OK");
        Check.equal("android.widget.Button", button.get("class"));
        Check.equal("com.example:id/ok", button.get("resource_id"));
        Check.equal(1, button.get("depth"));
        Check.equal("0,100,200,150", button.get("bounds"));
        Check.equal(Arrays.asList("click", "long_click", "Archive"), button.get("actions"));
        Check.equal(null, button.get("package"));
        Check.equal(1, button.get("order"));
        Check.that(has(button, 1 | 2) && has(button, 2) && has(button, 64) && !has(button, 32), button);
        Map<String, Object> slider = byText(nodes, "class", "android.widget.SeekBar");
        Check.equal(Arrays.asList(1L, 0.0, 100.0, 30.0), slider.get("range"));
    }

    public void aHintIsNoText() throws Exception {
        Map<String, Object> field = byText(new Decoded(snapshot()).nodes(), "hint", "Name");
        Check.equal(null, field.get("text"));
        Check.that(has(field, 4096) && has(field, 32), field);
    }

    public void aSecretIsOnlyItsLength() throws Exception {
        Map<String, Object> snapshot = snapshot();
        Map<String, Object> secret = byText(new Decoded(snapshot).nodes(), "resource_id", "com.example:id/secret");
        Check.equal(7, secret.get("secret"));
        Check.equal(null, secret.get("text"));
        Check.that(!snapshot.toString().contains("\u2022"), snapshot);
    }

    public void composeTestTagsAreResourceIds() throws Exception {
        Map<String, Object> tagged = byText(new Decoded(snapshot()).nodes(), "resource_id", "the_tag");
        Check.equal("half on", tagged.get("state"));
        Check.that(has(tagged, 16384), tagged);
    }

    public void partsOfAViewHaveASecondNumber() throws Exception {
        List<Map<String, Object>> nodes = new Decoded(snapshot()).nodes();
        Check.equal(8, byText(nodes, "text", "Row two").get("view"));
        Check.equal(7, byText(nodes, "text", "Row two").get("virtual"));
    }

    public void hiddenNodesComeOnlyWhenAskedFor() throws Exception {
        Check.that(!snapshot().toString().contains("Hidden"), "a hidden node was shown");
        List<Map<String, Object>> nodes = new Decoded(agent.ok("snapshot", "\"invisible\":true")).nodes();
        Check.that(!has(byText(nodes, "text", "Hidden"), 1), nodes);
    }

    public void windowsAloneAreToldWithoutNodesAndNotKept() throws Exception {
        Map<String, Object> all = snapshot();
        Map<String, Object> alone = agent.ok("snapshot", "\"windows_only\":true");
        Check.equal(((List<?>) all.get("windows")).size(), ((List<?>) alone.get("windows")).size());
        Check.equal(0, new Decoded(alone).nodes().size());
        Check.that(!alone.containsKey("snapshot"), alone);
        Check.equal((Long) all.get("snapshot") + 1, snapshot().get("snapshot"));
    }

    public void eachSnapshotShowsThePresent() throws Exception {
        long first = (Long) snapshot().get("snapshot");
        phone.find(BUTTON).text = "Cancel";
        phone.changed();
        Map<String, Object> second = snapshot();
        Check.equal(first + 1, second.get("snapshot"));
        byText(new Decoded(second).nodes(), "text", "Cancel");
    }

    public void aRootThatComesLateIsWaitedFor() throws Exception {
        snapshot();
        phone.rootless = true;
        phone.changed();
        int request = agent.send("snapshot", "");
        Thread.sleep(60);
        phone.rootless = false;
        phone.changed();
        Check.equal(8, new Decoded(agent.answer(request).json).nodes().size());
    }

    public void aWindowThatNeverHasARootIsShownWithoutNodes() throws Exception {
        phone.rootless = true;
        phone.changed();
        Map<String, Object> snapshot = snapshot();
        Check.equal(1, ((List<?>) snapshot.get("windows")).size());
        Check.equal(0, ((List<?>) snapshot.get("nodes")).size());
    }

    public void boundsAreCutToTheWindowAndLongTextsAreCut() throws Exception {
        phone.find(BUTTON).left = 1000;
        phone.find(FIRST_ROW).text = new String(new char[70_000]).replace('\0', 'x');
        phone.changed();
        Map<String, Object> snapshot = snapshot();
        Check.equal("1000,100,1080,150", byText(new Decoded(snapshot).nodes(), "text", "OK").get("bounds"));
        Check.equal("texts after 65536 characters", snapshot.get("cut"));
    }

    public void foregroundSecureWindowsAndScreenAreTold() throws Exception {
        Map<String, Object> front = agent.ok("foreground", "");
        Check.equal(
            Arrays.asList("com.example", "com.example.Main", "com.example/com.example.Main"),
            Arrays.asList(front.get("package"), front.get("activity"), front.get("window")));
        String secure = agent.ok("secure_windows", "").toString();
        Check.equal("{windows=[{name=com.example/com.example.Main, package=com.example}]}", secure);
        Check.equal("{width=1080, height=2400, rotation=0, density=420}", agent.ok("screen", "").toString());
    }
}
