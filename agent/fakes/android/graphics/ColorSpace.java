package android.graphics;

public abstract class ColorSpace {
    ColorSpace() {}
}
