package dev.fingertip.tests;

import java.util.Map;

/** Actions on nodes, which are found again at the moment of acting. */
public final class ActTest extends Example {
    public ActTest() throws Exception {
        snapshot();
    }

    private static String act(long key, String action) {
        return handle(key) + ",\"action\":\"" + action + "\"";
    }

    public void aNodeIsActedOnByItsHandle() throws Exception {
        Map<String, Object> reply = agent.ok("act", act(BUTTON, "click"));
        Check.equal("{moved=false, bounds=[0, 100, 200, 150]}", reply.toString());
        agent.ok("act", act(SECOND_ROW | 7L << 32, "click"));
        agent.ok("act", act(SLIDER, "set_progress") + ",\"value\":40.5");
        agent.ok("act", act(BUTTON, "native") + ",\"id\":2131362000");
        agent.ok("act", "\"handle\":\"#1.1\",\"action\":\"long_click\"");
        Check.equal(
            "[connect, perform 2 16, perform 30064771080 16, perform 5 16908349, perform 2 2131362000, perform 2 32]",
            phone.done.toString());
    }

    public void aMovedNodeIsTheSameNode() throws Exception {
        phone.find(BUTTON).top = 900;
        phone.changed();
        Check.equal(true, agent.ok("act", act(BUTTON, "click")).get("moved"));
    }

    public void aRecycledRowIsNotActedOn() throws Exception {
        phone.find(FIRST_ROW).text = "Row three";
        phone.changed();
        Map<String, Object> failure = agent.fails("changed", "act", act(FIRST_ROW, "click"));
        Check.equal("Row three", ((Map<?, ?>) failure.get("detail")).get("text"));
        Check.that(!phone.done.contains("perform 7 16"), phone.done);
        agent.ok("act", act(FIRST_ROW, "click") + ",\"expect\":\"any\"");
    }

    public void aNodeOfAnotherTestTagIsAnotherNode() throws Exception {
        phone.find(TAGGED).rare.put("test_tag", "other_tag");
        phone.changed();
        Map<String, Object> failure = agent.fails("changed", "act", act(TAGGED, "click"));
        Check.equal("other_tag", ((Map<?, ?>) failure.get("detail")).get("resource_id"));
    }

    public void aNodeBuiltAnewIsFoundByItsLooks() throws Exception {
        TestNode old = phone.find(FIRST_ROW);
        phone.root.children.remove(old);
        phone.root.children.add(new TestNode(70, old.className).text(old.text).takes(16));
        phone.changed();
        Check.equal(true, agent.ok("act", act(FIRST_ROW, "click")).get("moved"));
        Check.that(phone.done.contains("perform 70 16"), phone.done);
    }

    public void severalThatLookAlikeAreNotGuessedAmong() throws Exception {
        TestNode old = phone.find(FIRST_ROW);
        phone.root.children.remove(old);
        for (long key = 70; key < 73; key++) {
            phone.root.children.add(new TestNode(key, old.className).text(old.text).takes(16));
        }
        phone.changed();
        Map<String, Object> failure = agent.fails("ambiguous", "act", act(FIRST_ROW, "click"));
        Check.equal(3L, ((Map<?, ?>) failure.get("detail")).get("count"));
    }

    public void whatIsGoneIsGone() throws Exception {
        phone.root.children.remove(phone.find(FIRST_ROW));
        phone.changed();
        agent.fails("gone", "act", act(FIRST_ROW, "click"));
        agent.fails("gone", "act", act(4711, "click"));
        agent.fails("gone", "act", "\"handle\":\"#99.0\",\"action\":\"click\"");
    }

    public void disabledUnsupportedAndRefusedAreToldApart() throws Exception {
        phone.find(BUTTON).flags &= ~TestNode.ENABLED;
        phone.changed();
        agent.fails("disabled", "act", act(BUTTON, "click"));
        agent.fails("unsupported", "act", act(FIRST_ROW, "long_click"));
        agent.fails("unsupported", "act", act(FIRST_ROW, "fly"));
        agent.fails("refused", "act", act(SLIDER, "scroll_forward"));
    }

    public void theSnapshotCanBeNamedAndOldOnesAreForgotten() throws Exception {
        phone.find(FIRST_ROW).text = "Row three";
        phone.changed();
        snapshot();
        agent.ok("act", act(FIRST_ROW, "click"));
        agent.fails("changed", "act", act(FIRST_ROW, "click") + ",\"snapshot\":1");
        for (int count = 0; count < 4; count++) {
            snapshot();
        }
        agent.fails("gone", "act", act(FIRST_ROW, "click") + ",\"snapshot\":1");
    }

    public void aHandleOutlivesTheRelease() throws Exception {
        Check.equal(true, agent.ok("release", "").get("released"));
        agent.ok("act", act(BUTTON, "click"));
        Check.that(phone.done.contains("perform 2 16"), phone.done);
    }
}
