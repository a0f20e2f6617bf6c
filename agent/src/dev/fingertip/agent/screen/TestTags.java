package dev.fingertip.agent.screen;

import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names that programmers of Compose give their elements for tests, where they have no resource id.
 *
 * <p>An app returns them one by one and only when asked, which costs a call to it each. So a node's tag is asked for
 * once and kept by its number; Compose gives a node that is used for another element another number.
 */
final class TestTags {
    private static final String KEY = "androidx.compose.ui.semantics.testTag";
    /** The most tags kept; the longest unused go first. */
    private static final int MAX_KEPT = 2_000;

    private final Map<String, String> known = new LinkedHashMap<String, String>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_KEPT;
        }
    };

    /** {@code null} when it has none. */
    synchronized String of(AccessibilityNodeInfo info, Long source) {
        if (!info.getAvailableExtraData().contains(KEY)) {
            return null;
        }
        if (source == null) {
            return ask(info);
        }
        String node = info.getWindowId() + ":" + source;
        String tag = known.get(node);
        if (tag == null) {
            tag = ask(info);
            known.put(node, tag);
        }
        return tag;
    }

    private static String ask(AccessibilityNodeInfo info) {
        // Compose answers only when there are arguments, though it reads none.
        boolean there = info.refreshWithExtraData(KEY, new Bundle());
        return there ? Seen.string(info.getExtras().getCharSequence(KEY)) : null;
    }
}
