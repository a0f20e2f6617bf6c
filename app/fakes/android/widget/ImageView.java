package android.widget;

import android.content.Context;
import android.graphics.Bitmap;
import android.view.View;

public class ImageView extends View {
    /** For the fakes. */
    public Bitmap picture;

    public ImageView(Context context) {
        super(context);
    }

    public void setAdjustViewBounds(boolean adjust) {}

    public void setImageBitmap(Bitmap picture) {
        this.picture = picture;
    }
}
