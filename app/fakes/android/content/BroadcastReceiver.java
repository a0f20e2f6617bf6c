package android.content;

public abstract class BroadcastReceiver {
    /** For the tests: what the sender is answered. */
    public String answer;

    public abstract void onReceive(Context context, Intent intent);

    public final void setResultCode(int code) {}

    public final void setResultData(String data) {
        answer = data;
    }
}
