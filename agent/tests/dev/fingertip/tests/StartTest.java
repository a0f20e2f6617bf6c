package dev.fingertip.tests;

import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;

/** How it starts and how it ends. */
public final class StartTest {
    public void itSaysWhereItListensAndWhoItIs() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone())) {
            Check.equal(1L, agent.announced.get("fingertip"));
            Check.that(agent.announced.get("socket").toString().matches("fingertip-[0-9a-f]{16}"), agent.announced);
            Map<String, Object> hello = agent.hello();
            Check.equal(
                Arrays.asList(1L, "0123456789abcdef", 34L, agent.announced.get("pid")),
                Arrays.asList(hello.get("version"), hello.get("build"), hello.get("sdk"), hello.get("pid")));
            Check.equal(Collections.emptyList(), hello.get("failed"));
        }
    }

    public void itsFileIsGoneBeforeItIsConnected() throws Exception {
        File file = new File(System.getProperty("java.io.tmpdir"), "fingertip-00ff00ff.jar");
        File other = new File(System.getProperty("java.io.tmpdir"), "somebody-elses.jar");
        for (File made : new File[] {file, other}) {
            Check.that(made.createNewFile() || made.exists(), made);
            new AgentProcess(new TestPhone(), made).close();
        }
        Check.that(!file.exists(), file);
        Check.that(other.delete(), "a file of somebody else was deleted");
    }

    public void itEndsWithItsConnection() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone())) {
            agent.hello();
            Check.that(agent.isAlive(), "ended early");
            agent.hangUp();
            Check.equal(0, agent.exitCode());
        }
    }

    public void itEndsWhenToldTo() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone())) {
            agent.hello();
            agent.ok("quit", "");
            Check.equal(0, agent.exitCode());
        }
    }

    public void itEndsWhenNobodyComes() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone(), "--connect-seconds", "1")) {
            Check.equal(0, agent.exitCode());
        }
    }

    public void itEndsWhenTheHostGoesSilent() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone(), "--idle-seconds", "1")) {
            agent.hello();
            Check.equal(0, agent.exitCode());
        }
    }

    public void wrongArgumentsAreRefused() throws Exception {
        String[][] wrong = {{"--idle-seconds", "0"}, {"--what", "1"}, {"--release-seconds"}, {"--connect-seconds", "x"}};
        for (String[] options : wrong) {
            try (AgentProcess agent = new AgentProcess(new TestPhone(), options)) {
                Check.equal(null, agent.announced);
                Check.equal(2, agent.exitCode());
            }
        }
    }

    public void whoDoesNotKnowTheSecretIsNotAnswered() throws Exception {
        try (AgentProcess agent = new AgentProcess(new TestPhone())) {
            String[] strangers = {"\"version\":1,\"secret\":\"wrong\"", "\"version\":1", "\"secret\":\"\""};
            for (String fields : strangers) {
                agent.dial();
                agent.send("hello", fields);
                Check.equal(null, agent.receive());
            }
            agent.dial();
            agent.send("ping", "");
            Check.equal(null, agent.receive());
            agent.dial();
            agent.sendBytes(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0, 0});
            Check.equal(null, agent.receive());
            agent.hello();
        }
    }
}
