package dev.fingertip.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.content.ClipboardManager;
import android.provider.Settings;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.EditText;
import android.widget.TextView;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.SQLiteMode;

/** The settings screen and the accessibility service as Android's own classes run them. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35)
@GraphicsMode(GraphicsMode.Mode.LEGACY)
@SQLiteMode(SQLiteMode.Mode.LEGACY)
public final class RealSettingsTest {
    private SettingsActivity settings;
    private Preferences preferences;

    @Before
    public void open() throws ReflectiveOperationException {
        // Each test has a phone of its own, and so an app of its own.
        Field only = Fingertip.class.getDeclaredField("only");
        only.setAccessible(true);
        only.set(null, null);
        settings = Robolectric.buildActivity(SettingsActivity.class).setup().get();
        preferences = new Preferences(settings);
    }

    private List<TextView> texts() {
        List<TextView> found = new ArrayList<>();
        collect(settings.findViewById(android.R.id.content), found);
        return found;
    }

    private static void collect(View view, List<TextView> into) {
        if (view instanceof TextView && view.getVisibility() == View.VISIBLE) {
            into.add((TextView) view);
        }
        for (int index = 0; view instanceof ViewGroup && index < ((ViewGroup) view).getChildCount(); index++) {
            collect(((ViewGroup) view).getChildAt(index), into);
        }
    }

    private TextView find(int words) {
        String wanted = settings.getString(words);
        for (TextView view : texts()) {
            if (wanted.contentEquals(view.getText())) {
                return view;
            }
        }
        throw new AssertionError("there is no \"" + wanted + "\"");
    }

    /** As TalkBack does. */
    private void press(int words) {
        assertTrue(find(words).performAccessibilityAction(AccessibilityNodeInfo.ACTION_CLICK, null));
    }

    private EditText portField() {
        int id = find(R.string.port).getLabelFor();
        EditText field = settings.findViewById(id);
        assertNotNull("the label names its field", field);
        return field;
    }

    @Test
    public void switchesAreSettings() {
        assertFalse(preferences.isOnNetwork() || preferences.startsAtBoot() || preferences.isReadOnly());
        press(R.string.network);
        press(R.string.boot);
        press(R.string.read_only);
        assertTrue(preferences.isOnNetwork() && preferences.startsAtBoot() && preferences.isReadOnly());
        assertTrue(preferences.usesTls());
        press(R.string.tls);
        assertFalse(preferences.usesTls());
    }

    @Test
    public void aPortIsCheckedAndKept() {
        portField().setText("80");
        press(R.string.save_port);
        assertTrue(portField().getError().toString().contains("1024"));
        portField().setText("9090");
        press(R.string.save_port);
        assertEquals(9090, preferences.port());
    }

    @Test
    public void theTokenIsShownOnlyWhenAskedForAndCopied() {
        String token = preferences.token();
        for (TextView view : texts()) {
            assertFalse(view.getText().toString().contains(token));
        }
        press(R.string.show_token);
        boolean shown = false;
        for (TextView view : texts()) {
            shown |= token.contentEquals(view.getText());
        }
        assertTrue(shown);
        press(R.string.copy_token);
        ClipboardManager clipboard = settings.getSystemService(ClipboardManager.class);
        assertEquals(token, clipboard.getPrimaryClip().getItemAt(0).getText().toString());
        press(R.string.renew_token);
        assertNotEquals(token, new Preferences(settings).token());
    }

    @Test
    public void permissionsLeadToTheirPages() {
        press(R.string.open_accessibility);
        assertEquals(Settings.ACTION_ACCESSIBILITY_SETTINGS, Shadows.shadowOf(settings).getNextStartedActivity().getAction());
        press(R.string.open_app_info);
        assertEquals("package:dev.fingertip.app", Shadows.shadowOf(settings).getNextStartedActivity().getDataString());
    }

    @Test
    public void theTestOpensAndroidsOwnSettingsAndSaysWhyItDidNotRun() throws InterruptedException {
        press(R.string.test);
        assertEquals(Settings.ACTION_SETTINGS, Shadows.shadowOf(settings).getNextStartedActivity().getAction());
        Server server = Fingertip.of(settings).server;
        for (int tries = 0; tries < 500 && server.isTesting(); tries++) {
            Thread.sleep(20);
        }
        assertFalse("there is no program here, and the server was off", server.isTesting() || server.isOn());
        press(R.string.show_token);
        boolean shown = false;
        for (TextView view : texts()) {
            shown |= view.getText().toString().contains("libfingertip.so");
        }
        assertTrue("the screen says why", shown);
        press(R.string.copy_report);
        ClipboardManager clipboard = settings.getSystemService(ClipboardManager.class);
        String copied = clipboard.getPrimaryClip().getItemAt(0).getText().toString();
        assertEquals(String.join("\n", server.report()), copied);
    }

    @Test
    public void theServiceIsConnectedUntilItIsUnbound() {
        ScreenService service = Robolectric.buildService(ScreenService.class).create().get();
        AppPlatform platform = Fingertip.of(service).platform;
        assertFalse(platform.isConnected());
        service.onServiceConnected();
        assertTrue(platform.isConnected());
        ScreenService newer = Robolectric.buildService(ScreenService.class).create().get();
        newer.onServiceConnected();
        service.onUnbind(null);
        assertTrue("an older one that goes takes nothing away", platform.isConnected());
        newer.onUnbind(null);
        assertFalse(platform.isConnected());
    }
}
