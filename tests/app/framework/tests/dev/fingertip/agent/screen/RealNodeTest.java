package dev.fingertip.agent.screen;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.os.Bundle;
import android.text.InputType;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.Button;
import android.widget.EditText;
import android.widget.SeekBar;
import android.widget.Switch;
import android.widget.TextView;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.SQLiteMode;

/** What the agent makes of nodes that real views describe themselves by. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35)
@GraphicsMode(GraphicsMode.Mode.LEGACY)
@SQLiteMode(SQLiteMode.Mode.LEGACY)
public final class RealNodeTest {
    private static final int CLICKABLE = 1 << 1;
    private static final int EDITABLE = 1 << 5;
    private static final int ENABLED = 1 << 6;
    private static final int CHECKABLE = 1 << 7;
    private static final int CHECKED = 1 << 8;
    private static final int PASSWORD = 1 << 11;
    private static final int HINT = 1 << 12;
    private static final int HEADING = 1 << 14;
    private static final int INVALID = 1 << 15;
    private static final int MULTI_LINE = 1 << 16;

    private Activity activity;

    @Before
    public void open() {
        activity = Robolectric.buildActivity(Activity.class).setup().get();
    }

    /** A view that is on no screen says nothing of itself. */
    private <T extends View> T shown(T view) {
        activity.setContentView(view);
        return view;
    }

    private static int flags(View view) {
        return NodeFlags.of(view.createAccessibilityNodeInfo());
    }

    private static boolean act(View view, String action, Bundle arguments) {
        assertTrue(action, NodeActions.lists(view.createAccessibilityNodeInfo(), NodeActions.id(action)));
        return view.performAccessibilityAction(NodeActions.id(action), arguments);
    }

    private static void has(View view, int... bits) {
        for (int bit : bits) {
            assertEquals(bit, flags(view) & bit);
        }
    }

    @Test
    public void aButtonIsPressed() {
        int[] presses = new int[1];
        Button button = shown(new Button(activity));
        button.setOnClickListener(pressed -> presses[0]++);
        has(button, CLICKABLE, ENABLED);
        assertTrue(act(button, "click", null));
        assertEquals(1, presses[0]);
        button.setEnabled(false);
        assertEquals(0, flags(button) & ENABLED);
    }

    @Test
    public void aSwitchIsTurned() {
        Switch toggle = shown(new Switch(activity));
        has(toggle, CHECKABLE, CLICKABLE);
        assertEquals(0, flags(toggle) & CHECKED);
        assertTrue(act(toggle, "click", null));
        has(toggle, CHECKED);
        assertTrue(toggle.isChecked());
    }

    @Test
    public void aFieldIsWritten() {
        EditText field = shown(new EditText(activity));
        field.setHint("Name");
        has(field, EDITABLE, HINT);
        assertEquals("Name", Seen.string(field.createAccessibilityNodeInfo().getHintText()));
        Bundle text = new Bundle();
        text.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, "é👋");
        assertTrue(act(field, "set_text", text));
        assertEquals("é👋", field.getText().toString());
        assertEquals("é👋", Seen.string(field.createAccessibilityNodeInfo().getText()));
        assertEquals(0, flags(field) & HINT);
    }

    @Test
    public void passwordsErrorsLinesAndHeadingsAreTold() {
        EditText field = shown(new EditText(activity));
        field.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_FLAG_MULTI_LINE);
        has(field, MULTI_LINE);
        assertEquals(0, flags(field) & (PASSWORD | INVALID));
        field.setError("too short");
        has(field, INVALID);
        assertEquals("too short", Seen.string(field.createAccessibilityNodeInfo().getError()));
        EditText secret = shown(new EditText(activity));
        secret.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
        has(secret, PASSWORD, EDITABLE);
        assertEquals(0, flags(secret) & MULTI_LINE);
        TextView heading = shown(new TextView(activity));
        heading.setAccessibilityHeading(true);
        has(heading, HEADING);
    }

    @Test
    public void aSliderIsSet() {
        SeekBar slider = shown(new SeekBar(activity));
        slider.setMax(50);
        Bundle value = new Bundle();
        value.putFloat(AccessibilityNodeInfo.ACTION_ARGUMENT_PROGRESS_VALUE, 20);
        assertTrue(act(slider, "set_progress", value));
        assertEquals(20, slider.getProgress());
        AccessibilityNodeInfo.RangeInfo range = slider.createAccessibilityNodeInfo().getRangeInfo();
        assertEquals(50, range.getMax(), 0);
        assertEquals(20, range.getCurrent(), 0);
    }
}
