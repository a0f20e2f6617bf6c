package dev.fingertip.tests;

import java.util.Map;

/** Text and the clipboard. */
public final class TypeTest extends Example {
    public TypeTest() throws Exception {}

    private void check(Map<String, Object> reply, String method, String text, Boolean exact) {
        Check.equal("{method=" + method + ", text=" + text + ", exact=" + exact + ", secret=false}", reply.toString());
    }

    public void theFocusedFieldIsWrittenAndReadBack() throws Exception {
        check(agent.ok("text", "\"mode\":\"replace\",\"text\":\"שלום 👋🏽 中文 e\u0301\""), "set_text", "שלום 👋🏽 中文 e\u0301", true);
        Check.equal("שלום 👋🏽 中文 e\u0301", phone.find(FIELD).text);
        check(agent.ok("text", "\"mode\":\"append\",\"text\":\"!\""), "set_text", "שלום 👋🏽 中文 e\u0301!", true);
        check(agent.ok("text", "\"mode\":\"replace\",\"text\":\"\""), "set_text", "", true);
        Check.equal("", phone.find(FIELD).text);
    }

    public void fiveThousandCharactersArrive() throws Exception {
        StringBuilder text = new StringBuilder();
        while (text.length() < 5000) {
            text.append("Zażółć 漢字 🎉 ");
        }
        Check.equal(true, agent.ok("text", "\"mode\":\"insert\",\"text\":\"" + text + "\"").get("exact"));
        Check.equal(text.toString(), phone.find(FIELD).text);
    }

    public void pasteLeavesTheClipboardAsItWas() throws Exception {
        phone.refusesText = true;
        phone.clipboard = "mine";
        check(agent.ok("text", "\"mode\":\"replace\",\"text\":\"pasted é\""), "paste", "pasted é", true);
        Check.equal("mine", phone.clipboard);
        phone.clipboard = null;
        check(agent.ok("text", "\"mode\":\"replace\",\"text\":\"again\""), "paste", "again", true);
        Check.equal(null, phone.clipboard);
    }

    public void aNamedSecretFieldIsFilled() throws Exception {
        snapshot();
        Map<String, Object> reply = agent.ok("text", "\"mode\":\"replace\",\"text\":\"correct horse\"," + handle(SECRET));
        Check.equal("{method=set_text, text=null, exact=true, secret=true}", reply.toString());
        Check.equal("correct horse", phone.find(SECRET).text);
        agent.fails("unsupported", "text", "\"mode\":\"replace\",\"text\":\"x\"," + handle(BUTTON));
    }

    public void withoutAFieldKeysAreTyped() throws Exception {
        phone.find(FIELD).flags &= ~TestNode.FOCUSED;
        phone.changed();
        check(agent.ok("text", "\"mode\":\"insert\",\"text\":\"aB\""), "keys", null, null);
        String keys = phone.done.subList(1, phone.done.size()).toString();
        Check.equal("[key 29 0 0, key 29 1 0, key 59 0 0, key 30 0 0, key 30 1 0, key 59 1 0]", keys);
        phone.clipboard = "mine";
        check(agent.ok("text", "\"mode\":\"insert\",\"text\":\"é\""), "paste", null, null);
        Check.that(phone.done.contains("key 279 0 0"), phone.done);
        Check.equal("mine", phone.clipboard);
        agent.fails("gone", "text", "\"mode\":\"append\",\"text\":\"x\"");
        agent.fails("invalid", "text", "\"mode\":\"scribble\",\"text\":\"x\"");
    }

    public void theClipboardIsReadAndWritten() throws Exception {
        Check.equal(null, agent.ok("clipboard_get", "").get("text"));
        agent.ok("clipboard_set", "\"text\":\"été 🎉\"");
        Check.equal("été 🎉", phone.clipboard);
        Check.equal("été 🎉", agent.ok("clipboard_get", "").get("text"));
        agent.ok("clipboard_set", "\"text\":null");
        Check.equal(null, phone.clipboard);
    }
}
