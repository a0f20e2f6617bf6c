package android.graphics;

import java.util.ArrayList;
import java.util.List;

public class Path {
    /** For the fakes. */
    public final List<float[]> points = new ArrayList<>();

    public void moveTo(float x, float y) {
        points.add(new float[] {x, y});
    }

    public void lineTo(float x, float y) {
        points.add(new float[] {x, y});
    }
}
