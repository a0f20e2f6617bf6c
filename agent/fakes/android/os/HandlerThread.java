package android.os;

public class HandlerThread extends Thread {
    private final Looper looper = new Looper();

    public HandlerThread(String name) {
        super(name);
    }

    public Looper getLooper() {
        return looper;
    }

    @Override
    public void run() {
        Looper.loop();
    }
}
