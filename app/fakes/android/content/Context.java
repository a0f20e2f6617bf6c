package android.content;

import android.app.Service;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.content.res.Resources;
import android.view.WindowManager;
import dev.fingertip.fakes.AppPhone;
import java.io.File;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class Context {
    public static final int MODE_PRIVATE = 0;
    private static final Map<String, SharedPreferences> PREFERENCES = new ConcurrentHashMap<>();
    private static final Map<Class<?>, Object> SYSTEM = new ConcurrentHashMap<>();

    public Context getApplicationContext() {
        return this;
    }

    public String getPackageName() {
        return "dev.fingertip.app";
    }

    public ApplicationInfo getApplicationInfo() {
        ApplicationInfo info = new ApplicationInfo();
        info.nativeLibraryDir = AppPhone.libraries.getPath();
        return info;
    }

    public File getFilesDir() {
        return AppPhone.home;
    }

    public SharedPreferences getSharedPreferences(String name, int mode) {
        return PREFERENCES.computeIfAbsent(name, made -> new SharedPreferences.Stored());
    }

    public <T> T getSystemService(Class<T> type) {
        return type.cast(SYSTEM.computeIfAbsent(type, made -> {
            try {
                return made == WindowManager.class ? new WindowManager.Only() : made.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException(missing);
            }
        }));
    }

    public Resources getResources() {
        return new Resources();
    }

    public final String getString(int id, Object... values) {
        return values.length == 0 ? AppPhone.text(id) : String.format(AppPhone.text(id), values);
    }

    public int checkSelfPermission(String name) {
        return AppPhone.GRANTED.contains(name) ? PackageManager.PERMISSION_GRANTED : -1;
    }

    public void startActivity(Intent intent) {
        AppPhone.OPENED.add(intent);
    }

    /** The service must show itself in time, as Android wants it. */
    public ComponentName startForegroundService(Intent intent) {
        AppPhone.main().execute(() -> {
            try {
                if (AppPhone.running == null) {
                    AppPhone.running = (Service) intent.type.getDeclaredConstructor().newInstance();
                }
                AppPhone.shown = null;
                AppPhone.running.onStartCommand(intent, 0, 1);
                if (AppPhone.running != null && AppPhone.shown == null) {
                    throw new IllegalStateException("the service did not show itself");
                }
            } catch (ReflectiveOperationException | RuntimeException wrong) {
                wrong.printStackTrace();
                System.exit(1);
            }
        });
        return null;
    }

    public boolean stopService(Intent intent) {
        AppPhone.main().execute(() -> {
            if (AppPhone.running != null) {
                AppPhone.running.stopSelf();
            }
        });
        return true;
    }
}
