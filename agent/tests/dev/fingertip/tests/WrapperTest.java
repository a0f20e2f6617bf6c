package dev.fingertip.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Phones that lack a hidden interface, and older ones. */
public final class WrapperTest implements AutoCloseable {
    private final Path classes = Files.createTempDirectory("fingertip-classes");
    private final TestPhone phone = new TestPhone();
    private AgentProcess agent;

    public WrapperTest() throws IOException {}

    /** Starts the agent on a phone without these classes; returns what it says is missing. */
    private List<Object> startWithout(String... missing) throws Exception {
        Path all = AgentProcess.OWN_CLASSES;
        try (Stream<Path> paths = Files.walk(all)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Path copy = classes.resolve(all.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else if (!Arrays.asList(missing).contains(all.relativize(path).toString())) {
                    Files.copy(path, copy);
                }
            }
        }
        agent = new AgentProcess(phone, classes, null);
        List<Object> failed = new ArrayList<>();
        for (Object wrapper : (List<?>) agent.hello().get("failed")) {
            failed.add(((Map<?, ?>) wrapper).get("wrapper"));
        }
        return failed;
    }

    public void aMissingInterfaceCostsOnlyWhatNeedsIt() throws Exception {
        List<Object> failed = startWithout(
            "android/hardware/display/DisplayManagerGlobal.class", "android/content/IClipboard$Stub.class");
        Check.equal(Arrays.asList("Clipboard", "Display"), failed);
        Map<String, Object> failure = agent.fails("unavailable", "screen", "");
        Check.equal("Display", ((Map<?, ?>) failure.get("detail")).get("wrapper"));
        Check.that(failure.get("message").toString().contains("DisplayManagerGlobal"), failure);
        agent.fails("unavailable", "clipboard_get", "");
        Map<String, Object> snapshot = agent.ok("snapshot", "");
        Check.equal(null, snapshot.get("width"));
        Check.equal(1, new Decoded(snapshot).nodes().size());
        agent.ok("key", "\"code\":4");
    }

    public void withoutUiAutomationKeysStillWork() throws Exception {
        Check.equal(Collections.singletonList("UiAutomation"), startWithout("android/app/UiAutomationConnection.class"));
        agent.fails("unavailable", "snapshot", "");
        agent.ok("gesture", "\"strokes\":[[[0,1,1],[20,1,1]]]");
    }

    public void anOlderReleaseHasItsOwnInputAndFewerActions() throws Exception {
        phone.sdk = 29;
        phone.root.children.add(new TestNode(2, "android.widget.EditText").with(TestNode.EDITABLE).takes(16908372));
        Check.equal(Collections.emptyList(), startWithout("android/hardware/input/InputManagerGlobal.class"));
        agent.ok("key", "\"code\":66");
        Check.that(phone.done.contains("key 66 0 0"), phone.done);
        agent.ok("snapshot", "");
        agent.fails("unsupported", "act", "\"handle\":\"3:2:0\",\"action\":\"ime_enter\"");
        agent.fails("unsupported", "global", "\"action\":\"dismiss_notifications\"");
    }

    public void theClipboardOfAndroid8IsEmptiedByAnEmptyText() throws Exception {
        phone.sdk = 27;
        Check.equal(Collections.emptyList(), startWithout("android/hardware/input/InputManagerGlobal.class"));
        agent.ok("clipboard_set", "\"text\":\"old\"");
        Check.equal("old", agent.ok("clipboard_get", "").get("text"));
        agent.ok("clipboard_set", "");
        Check.equal("", agent.ok("clipboard_get", "").get("text"));
    }

    @Override
    public void close() throws Exception {
        if (agent != null) {
            agent.close();
        }
        try (Stream<Path> paths = Files.walk(classes)) {
            for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(path);
            }
        }
    }
}
