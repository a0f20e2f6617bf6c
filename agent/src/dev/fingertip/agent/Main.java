package dev.fingertip.agent;

import android.os.Looper;
import dev.fingertip.agent.shell.ShellPlatform;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wrappers.SystemLife;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Starts the agent: {@code CLASSPATH=... app_process / dev.fingertip.agent.Main --build HASH}.
 *
 * <p>Deletes its own file, prints one line that says where it listens, serves one connection, ends.
 */
public final class Main {
    private static final int DEFECT = 1;
    private static final int WRONG_ARGUMENTS = 2;
    private static final int CANNOT_LISTEN = 3;

    private Main() {}

    public static void main(String[] words) {
        OwnFile.remove(System.getenv("CLASSPATH"));
        Arguments arguments;
        try {
            arguments = Arguments.parse(words);
        } catch (Arguments.Wrong wrong) {
            System.err.println(wrong.getMessage());
            System.exit(WRONG_ARGUMENTS);
            return;
        }
        // Accessibility code of the framework wants a main looper, and the main thread to run it.
        Looper.prepareMainLooper();
        new Thread(() -> System.exit(serve(arguments)), "fingertip-serve").start();
        Looper.loop();
    }

    private static int serve(Arguments arguments) {
        try {
            Listener listener;
            int pid = pid();
            try {
                listener = new Listener();
            } catch (IOException refused) {
                System.err.println("could not listen: " + refused);
                return CANNOT_LISTEN;
            }
            SystemLife.onDeath(() -> {
                System.err.println("the system of the phone has ended");
                System.exit(0);
            });
            announce(listener, pid);
            Host host = listener.await(arguments.connectSeconds * 1000L);
            if (host != null) {
                Platform platform = new ShellPlatform(arguments.releaseSeconds * 1000L);
                new Agent(platform, arguments.build, arguments.idleSeconds * 1000L, pid, host).run();
            }
            return 0;
        } catch (IOException ended) {
            System.err.println("the connection ended: " + ended.getMessage());
            return 0;
        } catch (Failure | InterruptedException | RuntimeException | Error defect) {
            defect.printStackTrace();
            return DEFECT;
        }
    }

    private static void announce(Listener listener, int pid) throws IOException {
        JsonWriter line = new JsonWriter().object().field("fingertip", Agent.VERSION);
        line.field("socket", listener.name).field("secret", listener.secret).field("pid", pid);
        System.out.write(line.endObject().bytes());
        System.out.write("\n".getBytes(StandardCharsets.US_ASCII));
        System.out.flush();
    }

    /** The kernel's name for this process; the link leads to a folder of that name. */
    private static int pid() throws IOException {
        return Integer.parseInt(new File("/proc/self").getCanonicalFile().getName());
    }
}
