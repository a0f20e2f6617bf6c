package android.widget;

import android.content.Context;

public abstract class CompoundButton extends Button {
    public interface OnCheckedChangeListener {
        void onCheckedChanged(CompoundButton button, boolean checked);
    }

    private boolean checked;
    private OnCheckedChangeListener listener;

    public CompoundButton(Context context) {
        super(context);
    }

    public boolean isChecked() {
        return checked;
    }

    public void setChecked(boolean checked) {
        boolean changed = this.checked != checked;
        this.checked = checked;
        if (changed && listener != null) {
            listener.onCheckedChanged(this, checked);
        }
    }

    public void setOnCheckedChangeListener(OnCheckedChangeListener listener) {
        this.listener = listener;
    }
}
