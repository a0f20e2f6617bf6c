package android.content;

import android.os.Build;
import android.os.IBinder;
import dev.fingertip.fakes.Bridge;

/** With the parameters of Android 14 and 15. */
public interface IClipboard {
    void setPrimaryClip(ClipData clip, String callingPackage, String attributionTag, int userId, int deviceId);

    void clearPrimaryClip(String callingPackage, String attributionTag, int userId, int deviceId);

    ClipData getPrimaryClip(String pkg, String attributionTag, int userId, int deviceId);

    /** The service, as a shell may use it: under the package that belongs to its user, or not at all. */
    final class Stub implements IClipboard {
        private Stub() {}

        public static IClipboard asInterface(IBinder binder) {
            return new Stub();
        }

        @Override
        public void setPrimaryClip(
                ClipData clip, String callingPackage, String attributionTag, int userId, int deviceId) {
            check(callingPackage);
            Bridge.call("clipboard_set", "text", clip.getItemAt(0).getText());
        }

        @Override
        public void clearPrimaryClip(String callingPackage, String attributionTag, int userId, int deviceId) {
            check(callingPackage);
            if (Build.VERSION.SDK_INT < Build.VERSION_CODES.P) {
                throw new NoSuchMethodError("clearPrimaryClip is there from Android 9 on");
            }
            Bridge.call("clipboard_set", "text", null);
        }

        @Override
        public ClipData getPrimaryClip(String pkg, String attributionTag, int userId, int deviceId) {
            check(pkg);
            String text = (String) Bridge.call("clipboard_get");
            return text == null ? null : new ClipData(text);
        }

        private static void check(String packageName) {
            if (!"com.android.shell".equals(packageName)) {
                throw new SecurityException("Package " + packageName + " does not belong to 2000");
            }
        }
    }
}
