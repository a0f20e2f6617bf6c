package dev.fingertip.tests;

import java.io.ByteArrayInputStream;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Fingers, keys, global actions and pictures. */
public final class InputTest extends Example {
    public InputTest() throws Exception {}

    private List<String> actions() {
        List<String> actions = new ArrayList<>();
        for (String done : phone.done) {
            if (done.startsWith("motion")) {
                actions.add(done.split(" ")[1]);
            }
        }
        return actions;
    }

    public void aPinchHasTwoFingers() throws Exception {
        Map<String, Object> reply =
            agent.ok("gesture", "\"step_ms\":100,\"strokes\":[[[0,500,500],[100,400.5,500]],[[0,600,500],[100,700,500]]]");
        Check.equal(Arrays.asList("0", "261", "2", "6", "1"), actions());
        Check.equal(5L, reply.get("events"));
        Check.equal("motion 2 [[0, 400.5, 500.0], [1, 700.0, 500.0]]", phone.done.get(2));
    }

    public void aGestureTakesItsTime() throws Exception {
        long start = System.nanoTime();
        agent.ok("gesture", "\"strokes\":[[[0,1,1],[300,1,1]]]");
        Check.that(System.nanoTime() - start >= 299_000_000L, "too fast");
    }

    public void theEndOfTheConnectionLiftsTheFingers() throws Exception {
        agent.send("gesture", "\"strokes\":[[[0,1,1],[5000,500,1]]],\"timeout_ms\":60000");
        while (actions().size() < 3) {
            Thread.sleep(5);
        }
        agent.hangUp();
        Check.equal(0, agent.exitCode());
        List<String> actions = actions();
        Check.equal("3", actions.get(actions.size() - 1));
    }

    public void aTimeoutLiftsTheFingersToo() throws Exception {
        agent.fails("timeout", "gesture", "\"strokes\":[[[0,1,1],[5000,500,1]]],\"timeout_ms\":100");
        agent.ok("key", "\"code\":4");
        List<String> actions = actions();
        Check.equal("3", actions.get(actions.size() - 1));
    }

    public void keysGoDownAndUpAndMayBeHeld() throws Exception {
        agent.ok("key", "\"code\":66");
        agent.ok("key", "\"code\":26,\"hold_ms\":600");
        Check.equal("[key 66 0 0, key 66 1 0, key 26 0 0, key 26 0 1, key 26 1 0]", phone.done.toString());
    }

    public void whatAndroidForbidsIsDenied() throws Exception {
        phone.forbidden = "Injecting input events requires the caller to have the INJECT_EVENTS permission";
        Map<String, Object> failure = agent.fails("denied", "gesture", "\"strokes\":[[[0,1,1],[50,1,1]]]");
        Check.that(failure.get("message").toString().contains("INJECT_EVENTS"), failure);
    }

    public void globalActionsGoToTheSystem() throws Exception {
        for (String name : new String[] {"back", "home", "recents", "notifications", "quick_settings", "dismiss_notifications"}) {
            agent.ok("global", "\"action\":\"" + name + "\"");
        }
        Check.equal("[connect, global 1, global 2, global 3, global 4, global 5, global 15]", phone.done.toString());
    }

    public void aPictureIsScaledAndEncoded() throws Exception {
        AgentProcess.Received picture = agent.answer(agent.send("screenshot", "\"longest_side\":40"));
        Check.equal("{width=20, height=40, format=jpeg, black=false}", picture.json.toString());
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture.bytes));
        Check.equal("20x40", image.getWidth() + "x" + image.getHeight());
        int red = image.getRGB(10, 20) >> 16 & 255;
        Check.that(Math.abs(red - 200) < 4, red);
        AgentProcess.Received raw = agent.answer(agent.send("screenshot", "\"format\":\"rgba\""));
        Check.equal(40 * 80 * 4, raw.bytes.length);
        Check.equal((byte) 200, raw.bytes[0]);
    }

    public void aPartOfTheScreenIsCutOut() throws Exception {
        AgentProcess.Received part =
            agent.answer(agent.send("screenshot", "\"left\":10,\"top\":60,\"right\":30,\"bottom\":9000,\"format\":\"rgba\""));
        Check.equal("{width=20, height=20, format=rgba, black=false}", part.json.toString());
        Check.equal(20 * 20 * 4, part.bytes.length);
        agent.fails("invalid", "screenshot", "\"left\":40");
        agent.fails("invalid", "screenshot", "\"top\":50,\"bottom\":50");
    }

    public void aBlackPictureIsNoticed() throws Exception {
        phone.black = true;
        Check.equal(true, agent.answer(agent.send("screenshot", "\"format\":\"png\"")).json.get("black"));
    }
}
