package dev.fingertip.agent.wire;

/** What an operation answers: a JSON object, and for pictures bytes beside it. */
public final class Reply {
    /** The empty object. */
    public static final Reply DONE = of(new JsonWriter().object().endObject());

    final byte[] json;
    final byte[] bytes;

    private Reply(byte[] json, byte[] bytes) {
        this.json = json;
        this.bytes = bytes;
    }

    public static Reply of(JsonWriter json) {
        return new Reply(json.bytes(), null);
    }

    public static Reply of(JsonWriter json, byte[] bytes) {
        return new Reply(json.bytes(), bytes);
    }
}
