package dev.fingertip.agent.screen;

/** The phone's own display, as it is turned now. */
public final class Screen {
    public final int width;
    public final int height;
    /** Quarters, 0 to 3. */
    public final int rotation;
    public final int density;

    public Screen(int width, int height, int rotation, int density) {
        this.width = width;
        this.height = height;
        this.rotation = rotation;
        this.density = density;
    }
}
