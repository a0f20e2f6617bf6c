package dev.fingertip.tests;

import java.util.Map;

/** UiAutomation is taken when needed, shared, and given back. */
public final class HolderTest extends Example {
    private static final String TAKEN =
        "UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 already registered!";

    public HolderTest() throws Exception {
        super("--release-seconds", "1");
    }

    private long count(String what) {
        synchronized (phone.done) {
            return phone.done.stream().filter(what::equals).count();
        }
    }

    public void itIsGivenBackAfterATimeAndTakenAgain() throws Exception {
        agent.ok("ping", "");
        Check.equal(0L, count("connect"));
        snapshot();
        snapshot();
        Check.equal(1L, count("connect"));
        agent.ok("subscribe", "\"events\":[\"change\"]");
        Map<String, Object> event = agent.receive().json;
        Check.equal("released", event.get("event"));
        Check.equal(1L, count("disconnect"));
        snapshot();
        Check.equal(2L, count("connect"));
    }

    public void itIsHeldAsLongAsAskedFor() throws Exception {
        agent.ok("subscribe", "\"events\":[\"change\"],\"hold_ms\":2500");
        Thread.sleep(1800);
        Check.equal(0L, count("disconnect"));
        Check.equal("released", agent.receive().json.get("event"));
    }

    public void anotherToolThatHasItIsNamed() throws Exception {
        phone.held = TAKEN;
        Map<String, Object> failure = agent.fails("busy", "snapshot", "");
        Check.that(failure.get("message").toString().contains("another tool"), failure);
        agent.fails("busy", "global", "\"action\":\"back\"");
        agent.ok("key", "\"code\":4");
        agent.ok("clipboard_set", "\"text\":\"x\"");
        agent.ok("gesture", "\"strokes\":[[[0,1,1],[50,1,1]]]");
        phone.held = null;
        snapshot();
    }

    public void theEndOfTheConnectionGivesItBack() throws Exception {
        snapshot();
        agent.hangUp();
        agent.exitCode();
        Check.equal(1L, count("disconnect"));
    }
}
