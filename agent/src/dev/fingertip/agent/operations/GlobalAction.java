package dev.fingertip.agent.operations;

import android.os.Build;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;

/** {@code global}: back, home and the panels of the system. Numbers: {@code AccessibilityService.GLOBAL_ACTION_*}. */
public final class GlobalAction implements Operation {
    private final UiProvider provider;

    public GlobalAction(UiProvider provider) {
        this.provider = provider;
    }

    @Override
    public Lane lane() {
        return Lane.ACTING;
    }

    @Override
    public Reply run(Call call) throws Failure {
        String name = call.fields.text("action");
        call.fields.finish();
        int action = number(name);
        try (UiProvider.Lease lease = provider.take()) {
            if (!lease.ui().performGlobalAction(action)) {
                throw new Failure(Failure.REFUSED, "the system refused " + name);
            }
        }
        return Reply.DONE;
    }

    private static int number(String name) throws Failure {
        switch (name) {
            case "back":
                return 1;
            case "home":
                return 2;
            case "recents":
                return 3;
            case "notifications":
                return 4;
            case "quick_settings":
                return 5;
            case "power_dialog":
                return 6;
            case "lock_screen":
                return since(Build.VERSION_CODES.P, 8, name);
            case "dismiss_notifications":
                return since(Build.VERSION_CODES.S, 15, name);
            default:
                throw Fields.wrong("action", "a global action");
        }
    }

    private static int since(int release, int number, String name) throws Failure {
        if (Build.VERSION.SDK_INT < release) {
            throw new Failure(Failure.UNSUPPORTED, "this release of Android has no " + name);
        }
        return number;
    }
}
