package dev.fingertip.agent.text;

import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.tests.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public final class TextEntryTest {
    /** A field that takes what it is set to take. */
    private static final class Pretended implements TextField, Clock {
        String content = "";
        int start;
        int end;
        boolean secret;
        boolean sets = true;
        boolean setsSilently = true;
        boolean pastes = true;
        boolean selects = true;
        boolean hasKeys = true;
        int shortened = Integer.MAX_VALUE;
        long now;
        final List<String> done = new ArrayList<>();

        @Override
        public String read() {
            return secret ? null : content;
        }

        @Override
        public int secretLength() {
            return content.length();
        }

        @Override
        public int[] selection() {
            return new int[] {start, end};
        }

        @Override
        public boolean setText(String text) {
            done.add("set");
            if (sets) {
                content = text.substring(0, Math.min(shortened, text.length()));
            }
            return sets || !setsSilently;
        }

        @Override
        public boolean select(int from, int to) {
            done.add("select " + from + " " + to);
            start = selects ? from : start;
            end = selects ? to : end;
            return selects;
        }

        @Override
        public boolean paste(String text) {
            done.add("paste");
            return pastes && put(text);
        }

        @Override
        public void restoreClipboard() {
            done.add("restore");
        }

        @Override
        public boolean type(String text) {
            done.add("type");
            return hasKeys && put(text);
        }

        @Override
        public void delete() {
            done.add("delete");
            put("");
        }

        private boolean put(String text) {
            content = content.substring(0, start) + text + content.substring(end);
            return true;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public boolean waitUntil(long time) {
            now = time;
            return true;
        }

        TextEntry.Outcome enter(String text, TextEntry.Mode mode) throws Failure {
            return new TextEntry(this, this, text, mode).enter();
        }
    }

    private static void check(TextEntry.Outcome outcome, String method, String text, Boolean exact) {
        Check.equal(Arrays.asList(method, text, exact), Arrays.asList(outcome.method, outcome.text, outcome.exact));
    }

    public void theFieldsOwnActionIsFirst() throws Exception {
        Pretended field = new Pretended();
        field.content = "old";
        check(field.enter("שלום 👋", TextEntry.Mode.REPLACE), "set_text", "שלום 👋", true);
        Check.equal(Arrays.asList("set", "select 7 7"), field.done);
    }

    public void appendingAndInsertingKeepTheRest() throws Exception {
        Pretended field = new Pretended();
        field.content = "ab";
        check(field.enter("c", TextEntry.Mode.APPEND), "set_text", "abc", true);
        field.start = 1;
        field.end = 2;
        check(field.enter("X", TextEntry.Mode.INSERT), "set_text", "aXc", true);
        Check.equal(2, field.start);
    }

    public void pasteIsSecondAndTheClipboardIsPutBack() throws Exception {
        Pretended field = new Pretended();
        field.sets = false;
        field.content = "old";
        check(field.enter("new", TextEntry.Mode.REPLACE), "paste", "new", true);
        Check.equal(Arrays.asList("set", "select 0 3", "paste", "restore"), field.done);
    }

    public void aFieldThatOnlyClaimsToTakeTextIsNotBelieved() throws Exception {
        Pretended field = new Pretended();
        field.sets = false;
        field.setsSilently = false;
        check(field.enter("new", TextEntry.Mode.APPEND), "paste", "new", true);
    }

    public void keysAreLast() throws Exception {
        Pretended field = new Pretended();
        field.sets = false;
        field.pastes = false;
        field.content = "a";
        check(field.enter("b", TextEntry.Mode.APPEND), "keys", "ab", true);
        Check.that(field.done.contains("restore"), field.done);
    }

    public void afterAChangeNothingElseIsTried() throws Exception {
        Pretended field = new Pretended();
        field.shortened = 3;
        check(field.enter("12345", TextEntry.Mode.REPLACE), "set_text", "123", false);
        Check.that(!field.done.contains("paste"), field.done);
    }

    public void clearingGoesByKeyWhereSettingDoesNot() throws Exception {
        Pretended field = new Pretended();
        field.sets = false;
        field.content = "old";
        check(field.enter("", TextEntry.Mode.REPLACE), "keys", "", true);
        Check.equal(Arrays.asList("set", "select 0 3", "delete"), field.done);
    }

    public void whatIsThereAlreadyIsLeftAlone() throws Exception {
        Pretended field = new Pretended();
        field.content = "same";
        check(field.enter("same", TextEntry.Mode.REPLACE), "set_text", "same", true);
        Check.equal(Arrays.asList(), field.done);
    }

    public void aSecretIsNeverReadAndOnlyItsLengthIsCompared() throws Exception {
        Pretended field = new Pretended();
        field.secret = true;
        field.content = "1234";
        check(field.enter("secret", TextEntry.Mode.REPLACE), "set_text", null, true);
        check(field.enter("abcdef", TextEntry.Mode.REPLACE), "set_text", null, true);
        Check.equal("abcdef", field.content);
        field.done.clear();
        check(field.enter("7", TextEntry.Mode.APPEND), "paste", null, true);
        Check.equal("abcdef7", field.content);
        Check.that(!field.done.contains("set"), field.done);
    }

    public void noWayLeftIsSaid() {
        Pretended field = new Pretended();
        field.sets = false;
        field.pastes = false;
        field.hasKeys = false;
        Failure failure = Check.fails(Failure.class, () -> field.enter("é", TextEntry.Mode.INSERT));
        Check.equal("unsupported", failure.kind);
        Check.equal("", field.content);
    }
}
