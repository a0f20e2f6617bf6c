package dev.fingertip.app;

import android.Manifest;
import android.app.Activity;
import android.content.ClipData;
import android.content.ClipDescription;
import android.content.ClipboardManager;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.graphics.Color;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.PersistableBundle;
import android.os.PowerManager;
import android.provider.Settings;
import android.text.InputType;
import android.view.View;
import android.widget.Button;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.Switch;
import android.widget.TextView;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The one screen of the app: the server, what it needs, who may reach it, and what was done through it. */
public final class SettingsActivity extends Activity {
    /** How often what is shown is brought up to date. */
    private static final long LOOK_EVERY_MS = 1_000;
    private static final int PADDING_DP = 16;
    /** The side of the QR code on the screen. */
    private static final int CODE_DP = 220;
    private static final int ASKED = 1;

    private final Handler handler = new Handler(Looper.getMainLooper());
    private Fingertip fingertip;
    private LinearLayout list;
    private TextView state;
    private Button startOrStop;
    /** What the button says, which may be a moment behind the server: it does what it says. */
    private boolean saysStop;
    private ImageView code;
    private TextView accessibility;
    private Button openAccessibility;
    private Button openAppInfo;
    private TextView notifications;
    private Button askForNotifications;
    private TextView battery;
    private Button openBattery;
    private TextView token;
    private boolean tokenShown;
    private TextView report;
    private Button copyReport;
    private TextView calls;
    private TextView log;
    private List<?> drawn;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        fingertip = Fingertip.of(this);
        list = new LinearLayout(this);
        list.setOrientation(LinearLayout.VERTICAL);
        int padding = pixels(PADDING_DP);
        list.setPadding(padding, padding, padding, padding);
        server();
        permissions();
        access();
        safety();
        test();
        history();
        ScrollView page = new ScrollView(this);
        // From Android 15 on apps are drawn under the bars of the system.
        page.setFitsSystemWindows(true);
        page.addView(list);
        setContentView(page);
    }

    @Override
    protected void onResume() {
        super.onResume();
        refresh();
    }

    @Override
    protected void onPause() {
        handler.removeCallbacksAndMessages(null);
        super.onPause();
    }

    private void server() {
        heading(R.string.name);
        state = text("");
        state.setAccessibilityLiveRegion(View.ACCESSIBILITY_LIVE_REGION_POLITE);
        startOrStop = button(R.string.start, () -> {
            if (saysStop) {
                fingertip.stop();
            } else {
                fingertip.start();
            }
        });
        code = new ImageView(this);
        code.setAdjustViewBounds(true);
        code.setContentDescription(getString(R.string.code));
        list.addView(code, new LinearLayout.LayoutParams(pixels(CODE_DP), pixels(CODE_DP)));
    }

    private void permissions() {
        heading(R.string.permissions);
        accessibility = text("");
        openAccessibility = button(R.string.open_accessibility,
            () -> startActivity(new Intent(Settings.ACTION_ACCESSIBILITY_SETTINGS)));
        openAppInfo = button(R.string.open_app_info, () -> startActivity(
            new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.parse("package:" + getPackageName()))));
        notifications = text("");
        askForNotifications = button(R.string.ask_for_notifications,
            () -> requestPermissions(new String[] {Manifest.permission.POST_NOTIFICATIONS}, ASKED));
        battery = text("");
        openBattery = button(R.string.open_battery,
            () -> startActivity(new Intent(Settings.ACTION_IGNORE_BATTERY_OPTIMIZATION_SETTINGS)));
    }

    private void access() {
        heading(R.string.access);
        toggle(R.string.network, fingertip.preferences.isOnNetwork(), fingertip.preferences::setOnNetwork);
        toggle(R.string.tls, fingertip.preferences.usesTls(), fingertip.preferences::setTls);
        EditText port = field(R.string.port, String.valueOf(fingertip.preferences.port()), InputType.TYPE_CLASS_NUMBER);
        button(R.string.save_port, () -> {
            if (fingertip.preferences.setPort(port.getText().toString())) {
                fingertip.apply();
            } else {
                port.setError(getString(R.string.wrong_port, Preferences.LEAST_PORT, Preferences.MOST_PORT));
            }
        });
        toggle(R.string.boot, fingertip.preferences.startsAtBoot(), fingertip.preferences::setStartsAtBoot);
        text(getString(R.string.token_means));
        token = text("");
        token.setTextIsSelectable(true);
        button(R.string.show_token, () -> tokenShown = !tokenShown);
        button(R.string.copy_token, this::copyToken);
        text(getString(R.string.certificate_means));
        button(R.string.copy_certificate, () -> {
            String certificate = fingertip.server.certificate();
            if (certificate != null) {
                getSystemService(ClipboardManager.class).setPrimaryClip(ClipData.newPlainText(null, certificate));
            }
        });
        button(R.string.renew_token, () -> {
            fingertip.preferences.renewToken();
            fingertip.apply();
        });
    }

    private void safety() {
        heading(R.string.safety);
        toggle(R.string.read_only, fingertip.preferences.isReadOnly(), fingertip.preferences::setReadOnly);
        EditText apps = field(R.string.blocked, String.join(" ", fingertip.preferences.blockedApps()),
            InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS);
        button(R.string.save_blocked, () -> {
            fingertip.preferences.setBlockedApps(apps.getText().toString());
            fingertip.apply();
        });
    }

    private void test() {
        heading(R.string.test_heading);
        text(getString(R.string.test_means));
        button(R.string.test, () -> {
            fingertip.server.test();
            startActivity(new Intent(Settings.ACTION_SETTINGS));
        });
        report = text("");
        report.setTextIsSelectable(true);
        copyReport = button(R.string.copy_report, () -> getSystemService(ClipboardManager.class).setPrimaryClip(
            ClipData.newPlainText(null, String.join("\n", fingertip.server.report()))));
    }

    private void history() {
        heading(R.string.calls);
        calls = text("");
        heading(R.string.log);
        log = text("");
    }

    private void refresh() {
        saysStop = fingertip.server.isOn();
        show(state, Words.state(fingertip));
        show(startOrStop, getString(saysStop ? R.string.stop : R.string.start));
        boolean seen = fingertip.platform.isConnected();
        show(accessibility, getString(seen ? R.string.accessibility_on : R.string.accessibility_off));
        showIf(openAccessibility, !seen);
        showIf(openAppInfo, !seen);
        boolean notified = Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU
            || checkSelfPermission(Manifest.permission.POST_NOTIFICATIONS) == PackageManager.PERMISSION_GRANTED;
        show(notifications, getString(notified ? R.string.notifications_on : R.string.notifications_off));
        showIf(askForNotifications, !notified);
        boolean free = getSystemService(PowerManager.class).isIgnoringBatteryOptimizations(getPackageName());
        show(battery, getString(free ? R.string.battery_on : R.string.battery_off));
        showIf(openBattery, !free);
        show(token, tokenShown ? fingertip.preferences.token() : getString(R.string.token_hidden));
        List<String> lines = fingertip.server.report();
        show(report, String.join("\n", lines));
        showIf(report, !lines.isEmpty());
        showIf(copyReport, !lines.isEmpty());
        String done = Words.calls(fingertip.server);
        show(calls, done.isEmpty() ? getString(R.string.no_calls) : done);
        show(log, Words.log(fingertip.server));
        draw(fingertip.server.status());
        handler.removeCallbacksAndMessages(null);
        handler.postDelayed(this::refresh, LOOK_EVERY_MS);
    }

    /** The QR code that the server made of its address. */
    private void draw(Map<String, Object> status) {
        List<?> rows = status == null ? null : (List<?>) status.get("qr");
        showIf(code, rows != null && !rows.isEmpty());
        if (rows == null || rows.isEmpty() || rows.equals(drawn)) {
            return;
        }
        drawn = rows;
        int scale = Math.max(1, pixels(CODE_DP) / rows.size());
        Bitmap picture = Bitmap.createBitmap(rows.size() * scale, rows.size() * scale, Bitmap.Config.ARGB_8888);
        for (int y = 0; y < picture.getHeight(); y++) {
            String row = (String) rows.get(y / scale);
            for (int x = 0; x < picture.getWidth(); x++) {
                picture.setPixel(x, y, row.charAt(x / scale) == '1' ? Color.BLACK : Color.WHITE);
            }
        }
        code.setImageBitmap(picture);
    }

    private void copyToken() {
        ClipData clip = ClipData.newPlainText(null, fingertip.preferences.token());
        PersistableBundle extras = new PersistableBundle();
        extras.putBoolean(ClipDescription.EXTRA_IS_SENSITIVE, true);
        clip.getDescription().setExtras(extras);
        getSystemService(ClipboardManager.class).setPrimaryClip(clip);
    }

    private void heading(int words) {
        TextView view = text(getString(words));
        view.setTextAppearance(android.R.style.TextAppearance_DeviceDefault_Large);
        view.setAccessibilityHeading(true);
        view.setPadding(0, pixels(PADDING_DP), 0, 0);
    }

    private TextView text(String words) {
        TextView view = new TextView(this);
        view.setText(words);
        list.addView(view);
        return view;
    }

    private Button button(int words, Runnable pressed) {
        Button view = new Button(this);
        view.setText(words);
        view.setOnClickListener(clicked -> {
            pressed.run();
            refresh();
        });
        list.addView(view);
        return view;
    }

    private void toggle(int words, boolean on, Consumer<Boolean> set) {
        Switch view = new Switch(this);
        view.setText(words);
        view.setChecked(on);
        view.setOnCheckedChangeListener((changed, now) -> {
            set.accept(now);
            fingertip.apply();
        });
        // As large as a finger.
        view.setMinHeight(pixels(48));
        list.addView(view);
    }

    private EditText field(int words, String content, int type) {
        TextView label = text(getString(words));
        EditText view = new EditText(this);
        view.setId(View.generateViewId());
        view.setInputType(type);
        view.setText(content);
        list.addView(view);
        label.setLabelFor(view.getId());
        return view;
    }

    private static void show(TextView view, String words) {
        // A text that is set again is read again.
        if (!words.contentEquals(view.getText())) {
            view.setText(words);
        }
    }

    private static void showIf(View view, boolean shown) {
        view.setVisibility(shown ? View.VISIBLE : View.GONE);
    }

    private int pixels(int dp) {
        return Math.round(dp * getResources().getDisplayMetrics().density);
    }
}
