package android.widget;

import android.content.Context;
import android.view.View;
import dev.fingertip.fakes.AppPhone;

public class TextView extends View {
    CharSequence text = "";
    private CharSequence error;

    public TextView(Context context) {
        super(context);
    }

    public CharSequence getText() {
        return text;
    }

    public final void setText(CharSequence text) {
        this.text = text;
    }

    public final void setText(int id) {
        text = AppPhone.text(id);
    }

    public CharSequence getError() {
        return error;
    }

    public void setError(CharSequence error) {
        this.error = error;
    }

    public void setTextAppearance(int id) {}

    public void setTextIsSelectable(boolean selectable) {}

    public void setInputType(int type) {}

    public void setMinHeight(int pixels) {}
}
