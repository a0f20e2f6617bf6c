package android.view;

import android.content.Context;
import java.util.ArrayList;
import java.util.List;

public abstract class ViewGroup extends View {
    private final List<View> children = new ArrayList<>();

    public ViewGroup(Context context) {
        super(context);
    }

    public static class LayoutParams {}

    public void addView(View child) {
        children.add(child);
    }

    public void addView(View child, LayoutParams parameters) {
        children.add(child);
    }

    public View getChildAt(int index) {
        return children.get(index);
    }

    public int getChildCount() {
        return children.size();
    }
}
