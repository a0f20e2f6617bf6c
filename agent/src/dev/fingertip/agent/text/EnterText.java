package dev.fingertip.agent.text;

import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.screen.Handle;
import dev.fingertip.agent.screen.History;
import dev.fingertip.agent.screen.Locator;
import dev.fingertip.agent.screen.Receivers;
import dev.fingertip.agent.screen.Seen;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.util.List;

/** {@code text}: writes into a named field, or into the one that has the focus. */
public final class EnterText implements Operation {
    static final int MAX_TEXT = 1_000_000;

    private final Platform platform;
    private final UiProvider provider;
    private final Windows windows;
    private final History history;
    private final Locator locator;

    public EnterText(
            Platform platform, UiProvider provider, Windows windows, History history, Locator locator) {
        this.platform = platform;
        this.provider = provider;
        this.windows = windows;
        this.history = history;
        this.locator = locator;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        String text = call.fields.text("text");
        TextEntry.Mode mode = mode(call.fields.text("mode"));
        String handle = call.fields.optionalText("handle");
        int snapshot = call.fields.integer("snapshot", 1, Integer.MAX_VALUE, 0);
        List<String> packages = Receivers.meant(call.fields);
        call.fields.finish();
        if (text.length() > MAX_TEXT) {
            throw Fields.wrong("text", "no longer than " + MAX_TEXT + " characters");
        }
        try (UiProvider.Lease lease = provider.take()) {
            Receivers receivers = new Receivers(packages, windows, lease, call);
            if (handle == null) {
                receivers.mustHaveKeyboard(typed(0, text.length()));
            }
            Keyboard keys = platform.keyboard(call, receivers.isAnyone()
                ? null
                : (typed, all) -> receivers.mustHaveKeyboard(typed(typed, all)));
            AccessibilityNodeInfo node = handle == null ? focused(lease, call) : named(handle, snapshot, lease, call);
            if (node == null && mode != TextEntry.Mode.INSERT) {
                throw new Failure(Failure.GONE, "no editable field has the focus");
            }
            TextEntry.Outcome outcome = node == null
                ? typeBlindly(text, keys, call)
                : new TextEntry(new NodeField(node, keys, platform), call, text, mode).enter();
            return reply(outcome, node != null && node.isPassword());
        }
    }

    private AccessibilityNodeInfo named(String handle, int snapshot, UiProvider.Lease lease, Call call)
            throws Failure {
        Seen seen = locator.relocate(history.find(Handle.parse(handle), snapshot), true, lease, call);
        if (!seen.editable) {
            throw new Failure(Failure.UNSUPPORTED, seen.summary() + " is not editable");
        }
        if (!seen.info.isEnabled()) {
            throw new Failure(Failure.DISABLED, seen.summary() + " does not react now");
        }
        return seen.info;
    }

    private AccessibilityNodeInfo focused(UiProvider.Lease lease, Call call) throws Failure {
        // Not for the windows themselves: Android knows of no focus before it knows of its windows.
        windows.read(lease, call);
        AccessibilityNodeInfo node = lease.ui().findFocus(AccessibilityNodeInfo.FOCUS_INPUT);
        return node != null && node.isEditable() ? node : null;
    }

    /** Games and terminals have a focus but no field that can be read. */
    private TextEntry.Outcome typeBlindly(String text, Keyboard keys, Call call) throws Failure {
        if (keys.type(text)) {
            return new TextEntry.Outcome("keys", null, null);
        }
        SavedClip clip = new SavedClip(platform);
        try {
            if (!clip.put(text, true)) {
                throw new Failure(Failure.UNSUPPORTED,
                    "no field that takes text has the focus, and the clipboard could not be put back after a paste");
            }
            keys.press(KeyEvent.KEYCODE_PASTE, 0, 0);
            call.pause(TextEntry.SHOWN_WITHIN_MS);
            return new TextEntry.Outcome("paste", null, null);
        } finally {
            clip.restore();
        }
    }

    private static String typed(int typed, int all) {
        return "Typed " + typed + " of " + all + " characters";
    }

    private static TextEntry.Mode mode(String name) throws Failure {
        switch (name) {
            case "replace":
                return TextEntry.Mode.REPLACE;
            case "append":
                return TextEntry.Mode.APPEND;
            case "insert":
                return TextEntry.Mode.INSERT;
            default:
                throw Fields.wrong("mode", "replace, append or insert");
        }
    }

    private static Reply reply(TextEntry.Outcome outcome, boolean secret) {
        JsonWriter out = new JsonWriter().object().field("method", outcome.method).field("text", outcome.text);
        out.key("exact").any(outcome.exact);
        return Reply.of(out.field("secret", secret).endObject());
    }
}
