package androidx.test.internal.runner.lifecycle;

import android.app.Activity;
import androidx.test.runner.lifecycle.ActivityLifecycleMonitor;
import androidx.test.runner.lifecycle.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

public final class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor {
    private final Map<Activity, Stage> stages = new LinkedHashMap<>();

    public void signalLifecycleChange(Stage stage, Activity activity) {
        stages.put(activity, stage);
    }

    @Override
    public Collection<Activity> getActivitiesInStage(Stage stage) {
        Collection<Activity> found = new ArrayList<>();
        stages.forEach((activity, at) -> {
            if (at == stage) {
                found.add(activity);
            }
        });
        return found;
    }
}
