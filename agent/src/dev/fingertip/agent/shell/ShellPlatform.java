package dev.fingertip.agent.shell;

import dev.fingertip.agent.Platform;
import dev.fingertip.agent.input.GesturePlan;
import dev.fingertip.agent.input.GesturePlayer;
import dev.fingertip.agent.input.Keyboard;
import dev.fingertip.agent.input.Keys;
import dev.fingertip.agent.input.Played;
import dev.fingertip.agent.screen.EventLog;
import dev.fingertip.agent.screen.Screen;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.text.Clipboard;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Clock;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Lanes;
import dev.fingertip.agent.wrappers.ClipboardAccess;
import dev.fingertip.agent.wrappers.DisplayAccess;
import dev.fingertip.agent.wrappers.InputAccess;
import dev.fingertip.agent.wrappers.Lookup;
import dev.fingertip.agent.wrappers.Wrappers;
import java.util.LinkedHashMap;
import java.util.Map;

/** A program of the shell: UiAutomation, injected input, and the hidden interfaces of the system. */
public final class ShellPlatform implements Platform {
    private final long releaseMs;

    /** Gives UiAutomation back after so long without use. */
    public ShellPlatform(long releaseMs) {
        this.releaseMs = releaseMs;
    }

    @Override
    public UiProvider provider(Lanes lanes, EventLog events) {
        return new Automation(lanes, events, releaseMs);
    }

    @Override
    public Played play(GesturePlan plan, GesturePlayer.Ground ground, Call call) throws Failure {
        InputAccess input = InputAccess.LOOKUP.get();
        GesturePlayer.Sink sink = event -> input.inject(event, InputAccess.WAIT_FOR_RESULT);
        return new GesturePlayer(call, sink, ground).play(plan);
    }

    @Override
    public Keyboard keyboard(Clock clock, Keyboard.Guard guard) {
        return new Keys(clock, guard);
    }

    @Override
    public Clipboard clipboard() throws Failure {
        return ClipboardAccess.LOOKUP.get();
    }

    @Override
    public Screen screen() throws Failure {
        return DisplayAccess.LOOKUP.get().read();
    }

    @Override
    public Map<String, String> missing() {
        Map<String, String> missing = new LinkedHashMap<>();
        for (Lookup<?> wrapper : Wrappers.all()) {
            if (wrapper.failure() != null) {
                missing.put(wrapper.name, wrapper.failure());
            }
        }
        return missing;
    }
}
