package dev.fingertip.agent.operations;

import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.screen.WindowDump;
import dev.fingertip.agent.screen.Windows;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.io.IOException;

/** {@code foreground}: the package in front, and its activity where the system reports it. */
public final class ReadForeground implements Operation {
    private final UiProvider provider;
    private final Windows windows;

    public ReadForeground(UiProvider provider, Windows windows) {
        this.provider = provider;
        this.windows = windows;
    }

    @Override
    public Lane lane() {
        return Lane.LOOKING;
    }

    @Override
    public Reply run(Call call) throws Failure, IOException {
        call.fields.finish();
        try (UiProvider.Lease lease = provider.take()) {
            CharSequence packageName = activePackage(lease, call);
            WindowDump dump = WindowDump.displays(lease.ui());
            JsonWriter out = new JsonWriter().object();
            out.field("package", packageName == null ? dump.focusedPackage() : packageName.toString());
            out.field("activity", dump.focusedActivity()).field("window", dump.focusedWindow());
            return Reply.of(out.endObject());
        }
    }

    private CharSequence activePackage(UiProvider.Lease lease, Call call) throws Failure {
        for (AccessibilityWindowInfo window : windows.read(lease, call)) {
            AccessibilityNodeInfo root = window.isActive() ? windows.root(window, call) : null;
            if (root != null) {
                return root.getPackageName();
            }
        }
        return null;
    }
}
