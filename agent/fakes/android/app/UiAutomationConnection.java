package android.app;

/** The phone holds the real one. */
public final class UiAutomationConnection implements IUiAutomationConnection {
    public UiAutomationConnection() {}
}
