package dev.fingertip.agent.wire;

import dev.fingertip.tests.Check;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

public final class JsonTest {
    public void valuesOfAllTypesAreRead() throws Exception {
        String text = " {\"a\":[1,-2.5e1,true,false,null],\"b\":\"x\\u00e9\\n\\\"\\/\",\"c\":{}} ";
        Map<String, Object> object = Json.parseObject(text);
        Check.equal(Arrays.asList(1L, -25.0, true, false, null), object.get("a"));
        Check.equal("x\u00e9\n\"/", object.get("b"));
        Check.equal(0, ((Map<?, ?>) object.get("c")).size());
    }

    public void whatIsNoJsonIsRefused() {
        String[] wrong = {
            "", "{", "[1", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "nulll", "\"", "\"\\x\"",
            "\"\\u12g4\"", "\"\n\"", "[1]2", "{\"a\":1,\"a\":2}", "99999999999999999999", "--1", "NaN", "'a'", "\u00a01"
        };
        for (String text : wrong) {
            Check.fails(Json.Malformed.class, () -> Json.parse(text));
        }
        Check.fails(Json.Malformed.class, () -> Json.parseObject("[]"));
    }

    public void depthIsBounded() throws Exception {
        StringBuilder deep = new StringBuilder();
        for (int index = 0; index < 100_000; index++) {
            deep.append('[');
        }
        Check.fails(Json.Malformed.class, () -> Json.parse(deep.toString()));
    }

    public void whatIsWrittenIsReadBack() throws Exception {
        String[] texts = {"", "plain", "\"quoted\\\"", "\u0000\u001f\n", "שלום 👋🏽 中文 e\u0301", "\u007f\u0080\u07ff\u0800\uffff"};
        for (String text : texts) {
            byte[] json = new JsonWriter(1).value(text).bytes();
            Check.equal(text, Json.parse(new String(json, StandardCharsets.UTF_8)));
        }
        for (long number : new long[] {0, 7, -1, 1234567890123L, Long.MAX_VALUE, Long.MIN_VALUE}) {
            byte[] json = new JsonWriter(1).value(number).bytes();
            Check.equal(number, Json.parse(new String(json, StandardCharsets.UTF_8)));
        }
    }

    public void halfASurrogatePairIsReplaced() {
        byte[] json = new JsonWriter().value("a\ud83d!\ude00").bytes();
        Check.equal("\"a\ufffd!\ufffd\"", new String(json, StandardCharsets.UTF_8));
    }

    public void commasLookAfterThemselves() {
        JsonWriter out = new JsonWriter().object().field("a", 1).key("b").array().value(1).array().endArray();
        out.object().endObject().value("[").value("x").endArray().field("c", (String) null).endObject();
        Check.equal("{\"a\":1,\"b\":[1,[],{},\"[\",\"x\"],\"c\":null}", new String(out.bytes(), StandardCharsets.UTF_8));
    }

    public void anyTextIsSurvived() {
        Random random = new Random(1);
        String letters = "{}[]\",:\\u0129eE+-.tfn \n";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(24); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                Json.parse(text.toString());
            } catch (Json.Malformed expected) {
                // Anything but this is a defect.
            }
        }
    }
}
