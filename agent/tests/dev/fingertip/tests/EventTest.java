package dev.fingertip.tests;

import java.util.Map;

/** What happens on the screen is reported, and waited for. */
public final class EventTest extends Example {
    private static final int CONTENT = 2048;
    private static final int WINDOWS = 4194304;
    private static final int TOAST = 64;
    private static final int ANNOUNCEMENT = 16384;

    public EventTest() throws Exception {}

    private Map<String, Object> nextEvent() throws Exception {
        AgentProcess.Received frame = agent.receive();
        Check.equal(4, frame.kind);
        return frame.json;
    }

    public void aChangeIsToldAtOnceAndManyAreGathered() throws Exception {
        agent.ok("subscribe", "\"events\":[\"change\",\"toast\"]");
        phone.tell(CONTENT, "android.widget.TextView");
        Map<String, Object> first = nextEvent();
        Check.equal(true, first.get("content"));
        Check.equal(false, first.get("windows"));
        Check.equal("[com.example]", first.get("packages").toString());
        for (int count = 0; count < 200; count++) {
            phone.tell(count == 100 ? WINDOWS : CONTENT, "android.widget.TextView");
        }
        long seen = 0;
        int frames = 0;
        boolean windows = false;
        while (seen < 200) {
            Map<String, Object> event = nextEvent();
            seen += (Long) event.get("count");
            windows |= (Boolean) event.get("windows");
            frames++;
        }
        Check.equal(200L, seen);
        Check.that(windows, "the change of windows was lost");
        Check.that(frames < 100, frames);
    }

    public void toastsComeAsText() throws Exception {
        agent.ok("subscribe", "\"events\":[\"toast\"]");
        phone.tell(CONTENT, "android.widget.TextView");
        phone.tell(TOAST, "android.app.Notification", "no toast");
        phone.tell(TOAST, "android.widget.Toast", "Saved", "twice");
        Map<String, Object> event = nextEvent();
        Check.equal("toast", event.get("event"));
        Check.equal("Saved\ntwice", event.get("text"));
    }

    public void nothingIsToldToWhoDidNotAsk() throws Exception {
        agent.ok("subscribe", "\"events\":[\"change\"]");
        agent.ok("subscribe", "\"events\":[]");
        phone.tell(CONTENT, "android.widget.TextView");
        Thread.sleep(50);
        int ping = agent.send("ping", "");
        Check.equal(ping, agent.receive().request);
    }

    public void restIsWaitedFor() throws Exception {
        snapshot();
        int waiting = agent.send("wait_idle", "\"quiet_ms\":300,\"timeout_ms\":10000");
        for (int count = 0; count < 4; count++) {
            Thread.sleep(100);
            phone.tell(CONTENT, "android.widget.TextView");
        }
        phone.tell(ANNOUNCEMENT, "android.widget.TextView");
        Map<String, Object> reply = agent.answer(waiting).json;
        Check.equal(true, reply.get("idle"));
        Check.that((Long) reply.get("quiet_ms") >= 300, reply);
        Check.that((Long) snapshot().get("quiet_ms") >= 300, reply);
    }

    public void aScreenThatNeverRestsIsAnAnswer() throws Exception {
        snapshot();
        int waiting = agent.send("wait_idle", "\"quiet_ms\":30000,\"timeout_ms\":500");
        for (int count = 0; count < 5; count++) {
            Thread.sleep(50);
            phone.tell(CONTENT, "android.widget.TextView");
        }
        Map<String, Object> reply = agent.answer(waiting).json;
        Check.equal(false, reply.get("idle"));
        Check.that((Long) reply.get("events") >= 1 && (Long) reply.get("quiet_ms") < 30_000, reply);
    }
}
