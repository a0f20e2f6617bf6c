package android.view;

import android.content.Context;

public class View {
    public static final int VISIBLE = 0;
    public static final int GONE = 8;
    public static final int ACCESSIBILITY_LIVE_REGION_POLITE = 1;
    private static int lastId;

    public interface OnClickListener {
        void onClick(View view);
    }

    private int id;
    private int visibility = VISIBLE;
    private OnClickListener listener;
    private CharSequence description;

    public View(Context context) {}

    public static int generateViewId() {
        return ++lastId;
    }

    public int getId() {
        return id;
    }

    public void setId(int id) {
        this.id = id;
    }

    public int getVisibility() {
        return visibility;
    }

    public void setVisibility(int visibility) {
        this.visibility = visibility;
    }

    public void setOnClickListener(OnClickListener listener) {
        this.listener = listener;
    }

    public boolean performClick() {
        if (listener == null) {
            return false;
        }
        listener.onClick(this);
        return true;
    }

    public CharSequence getContentDescription() {
        return description;
    }

    public void setContentDescription(CharSequence description) {
        this.description = description;
    }

    public void setPadding(int left, int top, int right, int bottom) {}

    public void setFitsSystemWindows(boolean fits) {}

    public void setAccessibilityHeading(boolean heading) {}

    public void setAccessibilityLiveRegion(int mode) {}

    public void setLabelFor(int id) {}
}
