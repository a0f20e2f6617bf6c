package dev.fingertip.tests;

import java.nio.charset.StandardCharsets;

/** Many requests, wrong requests, late requests. */
public final class WireTest extends Example {
    public WireTest() throws Exception {}

    public void wrongFieldsAreToldAndHarmNothing() throws Exception {
        agent.fails("unknown_operation", "dance", "");
        agent.fails("invalid", "snapshot", "\"invisible\":1");
        agent.fails("invalid", "snapshot", "\"invisble\":true");
        agent.fails("invalid", "ping", "\"timeout_ms\":0");
        agent.fails("invalid", "key", "");
        agent.fails("invalid", "act", "\"handle\":\"x\",\"action\":\"click\"");
        agent.fails("invalid", "screenshot", "\"format\":\"gif\"");
        agent.fails("invalid", "global", "\"action\":\"forward\"");
        agent.ok("ping", "");
    }

    public void malformedFramesEndTheConnection() throws Exception {
        agent.sendRaw(2, 5, "{}".getBytes(StandardCharsets.UTF_8));
        Check.equal(null, agent.receive());
        Check.equal(0, agent.exitCode());
    }

    public void anOversizedFrameEndsTheConnection() throws Exception {
        agent.sendBytes(new byte[] {0, 0x40, 0, 1, 1, 0, 0, 0, 9});
        Check.equal(null, agent.receive());
        Check.equal(0, agent.exitCode());
    }

    public void aRequestThatIsNoJsonEndsTheConnection() throws Exception {
        agent.sendRaw(1, 5, "{\"op\":".getBytes(StandardCharsets.UTF_8));
        Check.equal(null, agent.receive());
        Check.equal(0, agent.exitCode());
    }

    public void aNumberInFlightMayNotBeUsedAgain() throws Exception {
        byte[] wait = "{\"op\":\"wait_idle\",\"quiet_ms\":60000}".getBytes(StandardCharsets.UTF_8);
        agent.sendRaw(1, 77, wait);
        agent.sendRaw(1, 77, wait);
        Check.equal(null, agent.receive());
    }

    public void aRequestTooManyCostsOnlyItself() throws Exception {
        int[] waiting = new int[64];
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = agent.send("wait_idle", "\"quiet_ms\":60000,\"timeout_ms\":60000");
        }
        agent.fails("overloaded", "screen", "");
        agent.ok("ping", "");
        int cancel = agent.send("cancel", "\"request\":" + waiting[0]);
        agent.failed("cancelled", waiting[0]);
        Check.equal(true, agent.answer(cancel).json.get("cancelled"));
        agent.ok("screen", "");
    }

    public void quickAnswersOvertakeSlowOnes() throws Exception {
        int slow = agent.send("gesture", "\"strokes\":[[[0,1,1],[400,1,1]]]");
        int quick = agent.send("ping", "");
        Check.equal(quick, agent.receive().request);
        Check.equal(slow, agent.receive().request);
    }

    public void whoActsWaitsForItsTurn() throws Exception {
        int first = agent.send("gesture", "\"strokes\":[[[0,1,1],[200,1,1]]]");
        int second = agent.send("key", "\"code\":4");
        Check.equal(first, agent.receive().request);
        Check.equal(second, agent.receive().request);
        String last = phone.done.get(phone.done.size() - 1);
        Check.that(last.startsWith("key 4 1"), phone.done);
    }

    public void aHangingPhoneCostsOneWaitAndNotTheAgent() throws Exception {
        agent.ok("snapshot", "");
        phone.frozen = true;
        agent.fails("timeout", "snapshot", "\"timeout_ms\":150");
        agent.fails("timeout", "snapshot", "\"timeout_ms\":150");
        agent.ok("ping", "");
        phone.frozen = false;
        agent.ok("snapshot", "");
    }

    public void aRequestCanBeCancelled() throws Exception {
        int waiting = agent.send("wait_idle", "\"quiet_ms\":60000,\"timeout_ms\":60000");
        int cancel = agent.send("cancel", "\"request\":" + waiting);
        agent.failed("cancelled", waiting);
        Check.equal(true, agent.answer(cancel).json.get("cancelled"));
        Check.equal(false, agent.ok("cancel", "\"request\":" + waiting).get("cancelled"));
    }
}
