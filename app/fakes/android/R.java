package android;

public final class R {
    public static final class style {
        public static final int TextAppearance_DeviceDefault_Large = 1;
    }
}
