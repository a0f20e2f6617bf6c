package dev.fingertip.tests;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The agent on a screen with one of everything, greeted. Closed by the runner. */
abstract class Example implements AutoCloseable {
    static final long BUTTON = 2;
    static final long FIELD = 3;
    static final long SECRET = 4;
    static final long SLIDER = 5;
    static final long TAGGED = 6;
    static final long FIRST_ROW = 7;
    static final long SECOND_ROW = 8;
    static final long HIDDEN = 9;

    final TestPhone phone = new TestPhone();
    final AgentProcess agent;

    Example(String... options) throws Exception {
        List<TestNode> nodes = phone.root.children;
        nodes.add(new TestNode(BUTTON, "android.widget.Button").text("OK").id("com.example:id/ok")
            .with(TestNode.CLICKABLE).takes(16, 32, 64, 2131362000));
        nodes.get(0).rare.put("labels", Collections.singletonMap("2131362000", "Archive"));
        TestNode field = new TestNode(FIELD, "android.widget.EditText").id("com.example:id/name")
            .with(TestNode.EDITABLE | TestNode.FOCUSABLE | TestNode.FOCUSED).takes(1, 16, 32768, 131072, 2097152);
        field.hint = "Name";
        field.selection = 0;
        nodes.add(field);
        nodes.add(new TestNode(SECRET, "android.widget.EditText").text("hunter2").id("com.example:id/secret")
            .with(TestNode.EDITABLE | TestNode.PASSWORD).takes(1, 131072, 2097152));
        TestNode slider = new TestNode(SLIDER, "android.widget.SeekBar").takes(4096, 8192, 16908349);
        slider.range = Arrays.asList(0.0, 100.0, 30.0);
        nodes.add(slider);
        TestNode tagged = new TestNode(TAGGED, "android.view.View").takes(16);
        tagged.description = "Tagged";
        tagged.rare.put("test_tag", "the_tag");
        tagged.rare.put("state", "half on");
        tagged.rare.put("heading", true);
        nodes.add(tagged);
        nodes.add(new TestNode(FIRST_ROW, "android.widget.TextView").text("Row one").takes(16));
        nodes.add(new TestNode(SECOND_ROW | 7L << 32, "android.widget.TextView").text("Row two").takes(16));
        TestNode hidden = new TestNode(HIDDEN, "android.widget.TextView").text("Hidden");
        hidden.flags = TestNode.ENABLED;
        nodes.add(hidden);
        agent = new AgentProcess(phone, options);
        agent.hello();
    }

    /** Its handle; whole views have no third part, so keys of the phone get one only when they are long. */
    static String handle(long key) {
        return "\"handle\":\"" + TestPhone.WINDOW + ":" + (int) key + ":" + (int) (key >> 32) + "\"";
    }

    Map<String, Object> snapshot() throws Exception {
        return agent.ok("snapshot", "");
    }

    @Override
    public void close() throws Exception {
        agent.close();
    }
}
