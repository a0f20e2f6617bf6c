package dev.fingertip.agent.screen;

import dev.fingertip.tests.Check;
import java.util.Arrays;
import java.util.Collections;

public final class WindowDumpTest {
    private static void check(String text, String window, String packageName, String activity) {
        WindowDump dump = new WindowDump(text);
        Check.equal(
            Arrays.asList(window, packageName, activity),
            Arrays.asList(dump.focusedWindow(), dump.focusedPackage(), dump.focusedActivity()));
    }

    public void theFocusOfAllReleasesIsRead() {
        check("  mCurrentFocus=Window{5c4591 u0 com.demo/com.demo.MainActivity}\r\n", "com.demo/com.demo.MainActivity",
            "com.demo", "com.demo.MainActivity");
        check("  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{b3a1ec9 u0 com.demo/.Main$Inner t82}\n", null, "com.demo",
            "com.demo.Main$Inner");
        check("mFocusedApp=AppWindowToken{83e token=Token{62a ActivityRecord{6a6 u0 tv.app/tv.app.Main t10250}}}", null,
            "tv.app", "tv.app.Main");
        check("mCurrentFocus=Window{85a52f2 u0 NotificationShade}\nmFocusedApp=ActivityRecord{1 u0 a.b/.C t1}",
            "NotificationShade", "a.b", "a.b.C");
        check("mCurrentFocus=Window{1 u0 Some Title EXITING}", "Some Title", null, null);
        check("", null, null, null);
        check("mCurrentFocus=", null, null, null);
    }

    public void secureWindowsAreTold() {
        String text = "  Window #0 Window{1 u0 StatusBar}:\n    mAttrs={fl=NOT_FOCUSABLE LAYOUT_IN_SCREEN}\n    isOnScreen=true\n"
            + "  Window #1 Window{2 u0 com.bank/com.bank.Main}:\n    mAttrs={(0,0)\n      fl=LAYOUT_IN_SCREEN SECURE DRAWS\n"
            + "      pfl=X}\n    isOnScreen=true\n"
            + "  Window #2 Window{3 u0 old.bank/.Main}:\n    mAttrs={fl=#81812100 fmt=-3}\n    mHasSurface=true\n"
            + "  Window #3 Window{4 u0 hidden/.Main}:\n    mAttrs={fl=SECURE}\n    isOnScreen=false\n"
            + "  Window #4 Window{5 u0 plain/.Main}:\n    mAttrs={fl=#81810100 title=SECURE}\n    isOnScreen=true\n";
        Check.equal(Arrays.asList("com.bank/com.bank.Main", "old.bank/.Main"), new WindowDump(text).secureWindows());
        Check.equal(Collections.emptyList(), new WindowDump("").secureWindows());
        Check.equal("com.bank", WindowDump.packageOf("com.bank/com.bank.Main"));
        Check.equal(null, WindowDump.packageOf("StatusBar"));
    }
}
