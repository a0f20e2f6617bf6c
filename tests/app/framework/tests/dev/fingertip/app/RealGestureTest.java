package dev.fingertip.app;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.accessibilityservice.AccessibilityService;
import android.accessibilityservice.GestureDescription.StrokeDescription;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.wire.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.shadows.ShadowAccessibilityService;

/** Finger paths as the real descriptions of gestures take them. */
@RunWith(RobolectricTestRunner.class)
@Config(sdk = 35)
@GraphicsMode(GraphicsMode.Mode.LEGACY)
@SQLiteMode(SQLiteMode.Mode.LEGACY)
public final class RealGestureTest {
    private static final int LOOK_EVERY_MS = 10;
    private static final int SECONDS = 60;

    /** Plays one path, says after each piece that it is done, and returns the pieces. */
    private static List<StrokeDescription> play(List<?> path) throws Exception {
        AccessibilityService service = Robolectric.buildService(ScreenService.class).create().get();
        ShadowAccessibilityService android = Shadows.shadowOf(service);
        GesturePlan plan = GesturePlan.of(Arrays.asList(path), 10);
        FutureTask<?> playing = new FutureTask<>(
            () -> new Fingers(service, new Call(1, null, Long.MAX_VALUE, null)).play(plan, null));
        new Thread(playing).start();
        List<StrokeDescription> pieces = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!playing.isDone() && System.nanoTime() < end) {
            if (android.getGesturesDispatched().size() > pieces.size()) {
                ShadowAccessibilityService.GestureDispatch piece = android.getGesturesDispatched().get(pieces.size());
                pieces.add(piece.description().getStroke(0));
                piece.callback().onCompleted(piece.description());
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
        playing.get(0, TimeUnit.SECONDS);
        return pieces;
    }

    @Test
    public void aTapIsOnePiece() throws Exception {
        List<StrokeDescription> pieces = play(Arrays.asList(Arrays.asList(0, 5, 7), Arrays.asList(60, 5, 7)));
        assertEquals(1, pieces.size());
        assertEquals(60, pieces.get(0).getDuration());
        assertFalse(pieces.get(0).willContinue());
    }

    @Test
    public void aFingerThatRestsBeforeItDragsStaysDown() throws Exception {
        List<StrokeDescription> pieces = play(Arrays.asList(
            Arrays.asList(0, 100, 100), Arrays.asList(500, 100, 100), Arrays.asList(800, 100, 600)));
        assertEquals(2, pieces.size());
        assertEquals(500, pieces.get(0).getDuration());
        assertTrue(pieces.get(0).willContinue());
        assertEquals(300, pieces.get(1).getDuration());
        assertFalse(pieces.get(1).willContinue());
        assertEquals("the same finger", pieces.get(0).getId(), pieces.get(1).getContinuedStrokeId());
    }
}
