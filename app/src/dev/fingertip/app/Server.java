package dev.fingertip.app;

import dev.fingertip.agent.Agent;
import dev.fingertip.agent.Host;
import dev.fingertip.agent.Platform;
import dev.fingertip.agent.wire.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

/**
 * The server: a program beside this one, asked and answered over its standard input and output.
 *
 * <p>One thread keeps it running for as long as it is meant to. The program ends when this process does, since its
 * input ends then. The test of this phone is the same program with another command, once, in the place of serving.
 */
final class Server {
    /** How long it may take to end by itself: calls under way get a grace. */
    private static final long ENDS_WITHIN_MS = 5_000;
    /** The most lines of its log that are kept, and the longest. */
    private static final int KEPT_LINES = 200;
    private static final int MAX_LINE = 2_000;
    /** The most that is read of the calls it wrote down, in bytes. */
    private static final int MAX_READ = 16 * 1024;
    private static final long NEVER_IDLE = Long.MAX_VALUE;

    private final File program;
    private final File home;
    private final Preferences preferences;
    private final Platform platform;
    private final Restarts restarts;
    private final ArrayDeque<String> log = new ArrayDeque<>();
    private Thread keeper;
    private Process process;
    private boolean again;
    private String failure;
    /** The next run is a test. */
    private boolean testIsDue;
    private boolean testing;
    /** Whether it is meant to run after the test. */
    private boolean servesAfterTest;
    private final List<String> report = new ArrayList<>();

    Server(File program, File home, Preferences preferences, Platform platform, Restarts restarts) {
        this.program = program;
        this.home = home;
        this.preferences = preferences;
        this.platform = platform;
        this.restarts = restarts;
    }

    /** Whether it is meant to run, and has not failed for good. */
    synchronized boolean isOn() {
        return keeper != null;
    }

    /** Why it does not run although it was meant to; {@code null} when there is no reason. */
    synchronized String failure() {
        return failure;
    }

    /** Whether the test is running, or about to. */
    synchronized boolean isTesting() {
        return testIsDue || testing;
    }

    /** What the last test said, line by line. */
    synchronized List<String> report() {
        return new ArrayList<>(report);
    }

    /** What it has logged last, and what became of it. */
    synchronized List<String> log() {
        return new ArrayList<>(log);
    }

    /** Starts it, unless it is on. */
    synchronized void start() {
        servesAfterTest = true;
        if (keeper == null) {
            keepRunning();
        }
    }

    /** Tries every operation on this phone once; serves again afterwards, if it did before. */
    synchronized void test() {
        if (isTesting()) {
            return;
        }
        report.clear();
        testIsDue = true;
        servesAfterTest = keeper != null;
        if (keeper == null) {
            keepRunning();
        } else {
            restart();
        }
    }

    private void keepRunning() {
        failure = null;
        restarts.forget();
        keeper = new Thread(this::keep, "fingertip-server");
        keeper.setDaemon(true);
        keeper.start();
    }

    /** Ends it. */
    synchronized void stop() {
        keeper = null;
        failure = null;
        testIsDue = false;
        end();
    }

    /** Starts it anew, with the settings of now. */
    synchronized void restart() {
        again = true;
        restarts.forget();
        end();
    }

    /** What it says of itself while it serves; {@code null} while it does not. */
    Map<String, Object> status() {
        synchronized (this) {
            if (process == null || !process.isAlive()) {
                return null;
            }
        }
        try {
            return Json.parseObject(new String(Files.readAllBytes(statusFile().toPath()), StandardCharsets.UTF_8));
        } catch (IOException | Json.Malformed notYet) {
            return null;
        }
    }

    /** The certificate that clients are to trust; {@code null} before it first served HTTPS. */
    String certificate() {
        try {
            return new String(Files.readAllBytes(new File(home, "tls/certificate.pem").toPath()), StandardCharsets.UTF_8);
        } catch (IOException none) {
            return null;
        }
    }

    /** The lines of calls it has written down last, the newest at the end; the first may be cut. */
    List<String> calls(int most) {
        try (RandomAccessFile file = new RandomAccessFile(new File(home, "audit.jsonl"), "r")) {
            byte[] end = new byte[(int) Math.min(file.length(), MAX_READ)];
            file.seek(file.length() - end.length);
            file.readFully(end);
            String[] lines = new String(end, StandardCharsets.UTF_8).split("\n");
            return Arrays.asList(lines).subList(Math.max(0, lines.length - most), lines.length);
        } catch (IOException none) {
            return Collections.emptyList();
        }
    }

    synchronized void note(String line) {
        if (log.size() == KEPT_LINES) {
            log.remove();
        }
        log.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line);
    }

    private synchronized void report(String line) {
        if (testing && report.size() < KEPT_LINES) {
            report.add(line);
        }
    }

    private void end() {
        if (process != null) {
            process.destroy();
        }
        notifyAll();
    }

    private synchronized boolean isKept() {
        return keeper == Thread.currentThread();
    }

    private void keep() {
        while (isKept()) {
            long begun = System.nanoTime();
            String ending;
            try {
                ending = run();
            } catch (IOException failed) {
                ending = failed.getMessage();
            }
            if (wasTest(ending)) {
                continue;
            }
            note(ending);
            if (!pause(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun), ending)) {
                return;
            }
        }
    }

    /** Whether the run that ended was a test: it then goes on as before, or ends. */
    private synchronized boolean wasTest(String ending) {
        if (!testing) {
            return false;
        }
        if (report.isEmpty()) {
            report(ending);
        }
        testing = false;
        again = false;
        if (isKept() && !servesAfterTest) {
            keeper = null;
        }
        return true;
    }

    /** Waits until it is to be started again; {@code false} when it is not. */
    private synchronized boolean pause(long lived, String ending) {
        if (again && isKept()) {
            again = false;
            return true;
        }
        long pause = isKept() ? restarts.pauseAfter(lived) : -1;
        if (pause < 0) {
            if (isKept()) {
                failure = ending;
                keeper = null;
            }
            return false;
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pause);
        try {
            for (long left = pause; left > 0 && isKept() && !again; ) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            }
        } catch (InterruptedException ended) {
            return false;
        }
        again = false;
        return isKept();
    }

    /** Runs it once; says how it ended. */
    private String run() throws IOException {
        Process started;
        synchronized (this) {
            if (!isKept()) {
                return "stopped";
            }
            Files.deleteIfExists(statusFile().toPath());
            again = false;
            testing = testIsDue;
            testIsDue = false;
            ProcessBuilder builder = new ProcessBuilder(testing ? testCommand() : command()).directory(home);
            Map<String, String> environment = builder.environment();
            environment.put("FINGERTIP_HOME", home.getPath());
            environment.put("FINGERTIP_TOKEN", preferences.token());
            environment.put("HOME", home.getPath());
            environment.put("TMPDIR", home.getPath());
            environment.put("TZ", TimeZone.getDefault().getID());
            started = builder.start();
            process = started;
        }
        Thread reading = new Thread(() -> readLog(started.getErrorStream()), "fingertip-server-log");
        reading.setDaemon(true);
        reading.start();
        try {
            Host host = Host.over(started.getInputStream(), started.getOutputStream(), started::destroy);
            new Agent(platform, "", NEVER_IDLE, 0, host).run();
        } catch (IOException gone) {
            // It has ended, or is about to; how is said below.
        }
        return "the server ended" + how(started, reading);
    }

    private String how(Process ended, Thread reading) {
        try {
            if (!ended.waitFor(ENDS_WITHIN_MS, TimeUnit.MILLISECONDS)) {
                ended.destroyForcibly().waitFor();
            }
            reading.join(ENDS_WITHIN_MS);
        } catch (InterruptedException stopped) {
            ended.destroyForcibly();
            return "";
        }
        synchronized (this) {
            // The last thing a server that cannot serve says is why.
            String last = log.isEmpty() ? "" : ": " + log.getLast();
            return ended.exitValue() == 0 ? "" : " (" + ended.exitValue() + ")" + last;
        }
    }

    private void readLog(InputStream errors) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(errors, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.trim().isEmpty()) {
                    note(line);
                    report(line);
                }
            }
        } catch (IOException ended) {
            // With its server.
        }
    }

    private File statusFile() {
        return new File(home, "status.json");
    }

    private List<String> testCommand() {
        return Arrays.asList(program.getPath(), "doctor", "--self-test", "--target", "app");
    }

    private List<String> command() {
        String address = (preferences.isOnNetwork() ? "0.0.0.0:" : "127.0.0.1:") + preferences.port();
        List<String> command = new ArrayList<>(Arrays.asList(
            program.getPath(), "serve", "--target", "app", "--listen", address, "--status-file", statusFile().getPath()));
        if (preferences.usesTls()) {
            command.add("--tls");
        }
        if (preferences.isReadOnly()) {
            command.add("--read-only");
        }
        for (String app : preferences.blockedApps()) {
            command.addAll(Arrays.asList("--block-app", app));
        }
        return command;
    }
}
