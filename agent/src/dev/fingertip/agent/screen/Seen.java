package dev.fingertip.agent.screen;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wrappers.SourceNodeId;
import java.util.Objects;

/**
 * A node as it was when it was looked at: what it is recognised by, and Android's own object for asking again.
 *
 * <p>The texts are copies: asking again changes Android's object, not these.
 */
public final class Seen {
    public final AccessibilityNodeInfo info;
    public final int window;
    /** Android's number for it; {@code null} where that is hidden. */
    public final Long source;
    public final String packageName;
    public final String className;
    /** What it shows: neither a hint nor a secret. */
    public final String text;
    public final String description;
    public final String resourceId;
    public final boolean editable;
    public final boolean password;
    public final boolean showsHint;
    public final Rect bounds = new Rect();

    /** As it is now, its test tag too. */
    public Seen(AccessibilityNodeInfo info) {
        this(info, new TestTags());
    }

    /** As it is now, but for a test tag that is known already. */
    Seen(AccessibilityNodeInfo info, TestTags tags) {
        this.info = info;
        window = info.getWindowId();
        source = source(info);
        packageName = string(info.getPackageName());
        className = string(info.getClassName());
        description = string(info.getContentDescription());
        String id = string(info.getViewIdResourceName());
        resourceId = id == null ? tags.of(info, source) : id;
        editable = info.isEditable();
        password = info.isPassword();
        showsHint = info.isShowingHintText();
        text = password || showsHint ? null : string(info.getText());
        info.getBoundsInScreen(bounds);
    }

    /** The same by Android's number. */
    boolean isSameNode(Seen other) {
        return source != null && source.equals(other.source) && window == other.window;
    }

    /** The same by its app and by all that people recognise it by. What is typed into a field does not make it another field. */
    boolean looksLike(Seen other) {
        return Objects.equals(packageName, other.packageName)
            && Objects.equals(className, other.className)
            && Objects.equals(resourceId, other.resourceId)
            && Objects.equals(description, other.description)
            && (editable && other.editable || Objects.equals(text, other.text));
    }

    /** Whether it has anything by which it could be found among others. */
    boolean hasMarks() {
        return resourceId != null || text != null || description != null;
    }

    /** For messages: {@code Button "OK"}. */
    public String summary() {
        String name = className == null ? "element" : className.substring(className.lastIndexOf('.') + 1);
        String label = text != null ? text : description;
        if (label != null) {
            return name + " \"" + (label.length() > 60 ? label.substring(0, 60) + "..." : label) + "\"";
        }
        return resourceId == null ? name : name + " #" + resourceId;
    }

    static String string(CharSequence text) {
        return text == null || text.length() == 0 ? null : text.toString();
    }

    private static Long source(AccessibilityNodeInfo info) {
        try {
            return SourceNodeId.LOOKUP.get().of(info);
        } catch (Failure hidden) {
            // Named in hello; without it nodes go by their place in the snapshot.
            return null;
        }
    }
}
