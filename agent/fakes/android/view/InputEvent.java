package android.view;

public abstract class InputEvent {
    InputEvent() {}

    /** For the bridge. */
    public abstract String bridgeOperation();

    /** For the bridge: names and values in turn. */
    public abstract Object[] bridgeFields();
}
