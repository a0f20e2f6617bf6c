package dev.fingertip.agent;

/** Stands before the agent's own on the class path, so that the demo phone's {@code app_process} runs the app. */
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        dev.fingertip.app.Harness.run();
    }
}
