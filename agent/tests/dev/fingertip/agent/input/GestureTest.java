package dev.fingertip.agent.input;

import android.view.MotionEvent;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Json;
import dev.fingertip.tests.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public final class GestureTest {
    /** Time that passes only during a wait, and a little late. */
    private static final class SlowClock implements Clock {
        long now = 1000;
        long lateness;
        long endsAt = Long.MAX_VALUE;

        @Override
        public long now() {
            return now;
        }

        @Override
        public boolean waitUntil(long time) {
            now = Math.max(now, time + lateness);
            return now < endsAt;
        }
    }

    private static List<?> strokes(String json) throws Exception {
        return (List<?>) Json.parse(json);
    }

    private static GesturePlan plan(String json) throws Exception {
        return GesturePlan.of(strokes(json), 10);
    }

    private static List<String> words(GesturePlan plan) {
        List<String> words = new ArrayList<>();
        for (GesturePlan.Step step : plan.steps()) {
            words.add(step.kind + "@" + step.time + " " + step.changed + Arrays.toString(step.fingers)
                + Arrays.toString(step.x));
        }
        return words;
    }

    public void aFingerMovesEvenlyAndMeetsItsWaypoints() throws Exception {
        List<String> expected = Arrays.asList(
            "DOWN@0 0[0][0.0]", "MOVE@10 0[0][10.0]", "MOVE@15 0[0][15.0]", "MOVE@20 0[0][15.5]", "MOVE@25 0[0][16.0]",
            "UP@25 0[0][16.0]");
        Check.equal(expected, words(plan("[[[0,0,5],[15,15,5],[25,16,5]]]")));
    }

    public void aRestingFingerSendsNothing() throws Exception {
        Check.equal(Arrays.asList("DOWN@0 0[0][3.0]", "UP@900 0[0][3.0]"), words(plan("[[[0,3,3],[900,3,3]]]")));
    }

    public void fingersShareEventsAndKeepTheirNumbers() throws Exception {
        GesturePlan plan = plan("[[[0,0,0],[30,30,0]],[[10,100,0],[20,110,0]],[[20,200,0],[30,200,0]]]");
        List<String> expected = Arrays.asList(
            "DOWN@0 0[0][0.0]",
            "MOVE@10 0[0][10.0]",
            "DOWN@10 1[0, 1][10.0, 100.0]",
            "MOVE@20 0[0, 1][20.0, 110.0]",
            "UP@20 1[0, 1][20.0, 110.0]",
            "DOWN@20 1[0, 1][20.0, 200.0]",
            "MOVE@30 0[0, 1][30.0, 200.0]",
            "UP@30 0[0, 1][30.0, 200.0]",
            "UP@30 0[1][200.0]");
        Check.equal(expected, words(plan));
    }

    public void tenFingersArePossibleAndElevenAreNot() throws Exception {
        StringBuilder ten = new StringBuilder("[[[0,0,0],[50,1,1]]");
        for (int finger = 1; finger < 10; finger++) {
            ten.append(",[[0,0,0],[50,1,1]]");
        }
        GesturePlan plan = plan(ten + "]");
        Check.equal(10, plan.steps().get(9).fingers.length);
        Failure failure = Check.fails(Failure.class, () -> plan(ten + ",[[0,0,0],[50,1,1]]]"));
        Check.equal("invalid", failure.kind);
    }

    public void wrongPathsAreRefused() {
        String[] wrong = {
            "[]", "[[]]", "[[[0,1,1]]]", "[[[0,1,1],[0,1,1]]]", "[[[5,1,1],[4,1,1]]]", "[[[-1,1,1],[4,1,1]]]",
            "[[[0,1],[4,1]]]", "[[[0,1,\"1\"],[4,1,1]]]", "[3]", "[[[0,1,1],[600001,1,1]]]"
        };
        for (String json : wrong) {
            Check.equal("invalid", Check.fails(Failure.class, () -> plan(json)).kind);
        }
        Check.fails(Failure.class, () -> GesturePlan.of(strokes("[[[0,1,1],[600000,9,9]]]"), 1));
    }

    public void eventsCarryThePlannedTimeHoweverLateTheyAre() throws Exception {
        SlowClock clock = new SlowClock();
        clock.lateness = 7;
        List<Object> times = new ArrayList<>();
        List<Object> sentAt = new ArrayList<>();
        GesturePlayer player = new GesturePlayer(clock, event -> {
            times.add(event.bridgeFields()[5]);
            sentAt.add(clock.now());
            return true;
        }, null);
        Played played = player.play(plan("[[[0,0,0],[20,20,0]]]"));
        Check.equal(Arrays.asList(1000L, 1010L, 1020L, 1020L), times);
        for (int index = 0; index < times.size(); index++) {
            Check.that((Long) sentAt.get(index) >= (Long) times.get(index), sentAt);
        }
        Check.equal(4, played.events);
        Check.equal(7L, played.late);
    }

    private static List<Object> actions(SlowClock clock, int refuseAfter) {
        List<Object> actions = new ArrayList<>();
        GesturePlayer player = new GesturePlayer(clock, event -> {
            actions.add(event.bridgeFields()[1]);
            return actions.size() != refuseAfter;
        }, null);
        Check.fails(Failure.class, () -> player.play(plan("[[[0,0,0],[40,40,0]],[[0,9,0],[40,40,0]]]")));
        return actions;
    }

    public void aGestureCalledOffLiftsItsFingers() {
        SlowClock clock = new SlowClock();
        clock.endsAt = 1015;
        int secondDown = MotionEvent.ACTION_POINTER_DOWN | 1 << 8;
        Check.equal(Arrays.asList(0, secondDown, MotionEvent.ACTION_MOVE, MotionEvent.ACTION_CANCEL), actions(clock, 0));
    }

    public void aLaterFingerThatIsNotLetDownEndsTheGestureWithACancel() {
        List<Object> actions = new ArrayList<>();
        List<Object> asked = new ArrayList<>();
        GesturePlayer player = new GesturePlayer(new SlowClock(), event -> {
            actions.add(event.bridgeFields()[1]);
            return true;
        }, (put, x, y) -> {
            asked.add(put + " " + x + " " + y);
            throw new Failure(Failure.DIVERTED, "another app lies there");
        });
        Check.fails(Failure.class, () -> player.play(plan("[[[0,5,6],[100,5,6]],[[20,7,8],[40,7,8]]]")));
        Check.equal(Arrays.asList("1 7.0 8.0"), asked);
        Check.equal(Arrays.asList(0, MotionEvent.ACTION_CANCEL), actions);
    }

    public void aRefusedTouchIsFollowedByACancel() {
        Check.equal(Arrays.asList(0, MotionEvent.ACTION_CANCEL), actions(new SlowClock(), 1));
    }
}
