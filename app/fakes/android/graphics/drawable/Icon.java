package android.graphics.drawable;

public final class Icon {}
