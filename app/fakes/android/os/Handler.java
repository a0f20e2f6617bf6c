package android.os;

import dev.fingertip.fakes.AppPhone;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs on the main thread. */
public class Handler {
    private final List<Future<?>> posted = new ArrayList<>();

    public Handler(Looper looper) {}

    public final boolean postDelayed(Runnable work, long milliseconds) {
        posted.add(AppPhone.main().schedule(work, milliseconds, TimeUnit.MILLISECONDS));
        return true;
    }

    public final void removeCallbacksAndMessages(Object token) {
        for (Future<?> work : posted) {
            work.cancel(false);
        }
        posted.clear();
    }
}
