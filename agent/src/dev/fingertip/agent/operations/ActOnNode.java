package dev.fingertip.agent.operations;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Handle;
import dev.fingertip.agent.screen.History;
import dev.fingertip.agent.screen.Locator;
import dev.fingertip.agent.screen.NodeActions;
import dev.fingertip.agent.screen.Seen;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.util.Arrays;

/** {@code act}: an action on a node, which is found again first. */
public final class ActOnNode implements Operation {
    private final UiProvider provider;
    private final History history;
    private final Locator locator;

    public ActOnNode(UiProvider provider, History history, Locator locator) {
        this.provider = provider;
        this.history = history;
        this.locator = locator;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        Fields fields = call.fields;
        Handle handle = Handle.parse(fields.text("handle"));
        int snapshot = fields.integer("snapshot", 1, Integer.MAX_VALUE, 0);
        String name = fields.text("action");
        boolean same = expectsSame(fields.text("expect", "same"));
        Bundle arguments = arguments(name, fields);
        boolean isNative = name.equals("native");
        int action = isNative ? fields.integer("id", Integer.MIN_VALUE, Integer.MAX_VALUE) : id(name);
        fields.finish();
        Seen before = history.find(handle, snapshot);
        int[] place = place(before);
        try (UiProvider.Lease lease = provider.take()) {
            Seen now = locator.relocate(before, same, lease, call);
            call.check();
            if (!now.info.isEnabled()) {
                throw new Failure(Failure.DISABLED, now.summary() + " does not react now");
            }
            if (!isNative && !NodeActions.lists(now.info, action)) {
                throw new Failure(Failure.UNSUPPORTED, now.summary() + " has no action " + name);
            }
            if (!now.info.performAction(action, arguments)) {
                throw new Failure(Failure.REFUSED, "the app refused " + name + " on " + now.summary());
            }
            return reply(place, place(now));
        }
    }

    private static Bundle arguments(String name, Fields fields) throws Failure {
        Bundle arguments = new Bundle();
        switch (name) {
            case "set_text":
                arguments.putCharSequence(
                    AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, fields.text("text"));
                return arguments;
            case "set_selection":
                arguments.putInt(
                    AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_START_INT,
                    fields.integer("start", 0, Integer.MAX_VALUE));
                arguments.putInt(
                    AccessibilityNodeInfo.ACTION_ARGUMENT_SELECTION_END_INT,
                    fields.integer("end", 0, Integer.MAX_VALUE));
                return arguments;
            case "set_progress":
                arguments.putFloat(
                    AccessibilityNodeInfo.ACTION_ARGUMENT_PROGRESS_VALUE, (float) fields.number("value"));
                return arguments;
            default:
                return null;
        }
    }

    private static int id(String name) throws Failure {
        Integer id = NodeActions.id(name);
        if (id == null) {
            throw new Failure(Failure.UNSUPPORTED, "this release of Android has no action " + name);
        }
        return id;
    }

    private static boolean expectsSame(String expect) throws Failure {
        if (!expect.equals("same") && !expect.equals("any")) {
            throw Fields.wrong("expect", "same or any");
        }
        return expect.equals("same");
    }

    private static int[] place(Seen seen) {
        return new int[] {seen.bounds.left, seen.bounds.top, seen.bounds.right, seen.bounds.bottom};
    }

    private static Reply reply(int[] before, int[] now) {
        JsonWriter out = new JsonWriter().object().field("moved", !Arrays.equals(before, now));
        out.key("bounds").array();
        for (int edge : now) {
            out.value(edge);
        }
        return Reply.of(out.endArray().endObject());
    }
}
