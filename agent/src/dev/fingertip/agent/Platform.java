package dev.fingertip.agent;

import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlayer;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.input.Played;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.Screen;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Lanes;
import java.util.Map;

/** What differs between a program of the shell and an app: how the screen is come by, fingers, keys, the clipboard. */
public interface Platform {
    /** The way to the screen for one connection, whose events go to this log. */
    UiProvider provider(Lanes lanes, EventLog events);

    /** Plays finger paths; the ground is asked before a finger comes down later than at the start. */
    Played play(GesturePlan plan, GesturePlayer.Ground ground, Call call) throws Failure;

    /** The keyboard, for one request; the guard, where there is one, sees that the right one has it. */
    Keyboard keyboard(Clock clock, Keyboard.Guard guard);

    Clipboard clipboard() throws Failure;

    Screen screen() throws Failure;

    /** What this phone, or this form of the agent, lacks: names and reasons. */
    Map<String, String> missing();
}
