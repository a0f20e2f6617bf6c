package dev.fingertip.agent.operations;

import android.graphics.Bitmap;
import dev.fingertip.agent.screen.UiProvider;
import dev.fingertip.agent.wire.Call;
import dev.fingertip.agent.wire.Failure;
import dev.fingertip.agent.wire.Fields;
import dev.fingertip.agent.wire.JsonWriter;
import dev.fingertip.agent.wire.Operation;
import dev.fingertip.agent.wire.Reply;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** {@code screenshot}: a picture of the screen, made small and encoded here, where the pixels are. */
public final class TakeScreenshot implements Operation {
    private static final int MAX_SIDE = 32_768;
    private static final int USUAL_QUALITY = 80;
    /** So many pixels are looked at in each direction to see whether all is black. */
    private static final int GRID = 32;
    private static final int COLOR = 0xFFFFFF;

    private final UiProvider provider;

    public TakeScreenshot(UiProvider provider) {
        this.provider = provider;
    }

    @Override
    public Lane lane() {
        return Lane.PICTURES;
    }

    @Override
    public Reply run(Call call) throws Failure {
        int longest = call.fields.integer("longest_side", 1, MAX_SIDE, MAX_SIDE);
        int quality = call.fields.integer("quality", 1, 100, USUAL_QUALITY);
        String format = call.fields.text("format", "jpeg");
        int left = call.fields.integer("left", 0, MAX_SIDE, 0);
        int top = call.fields.integer("top", 0, MAX_SIDE, 0);
        int right = call.fields.integer("right", 0, MAX_SIDE, MAX_SIDE);
        int bottom = call.fields.integer("bottom", 0, MAX_SIDE, MAX_SIDE);
        call.fields.finish();
        if (!format.equals("jpeg") && !format.equals("png") && !format.equals("rgba")) {
            throw Fields.wrong("format", "jpeg, png or rgba");
        }
        Bitmap picture = cropped(readable(take(call)), left, top, right, bottom);
        call.check();
        Bitmap scaled = scaled(picture, longest);
        byte[] bytes = encode(scaled, format, quality);
        JsonWriter out = new JsonWriter().object().field("width", scaled.getWidth()).field("height", scaled.getHeight());
        out.field("format", format).field("black", isBlack(scaled));
        scaled.recycle();
        return Reply.of(out.endObject(), bytes);
    }

    private Bitmap take(Call call) throws Failure {
        try (UiProvider.Lease lease = provider.take()) {
            Bitmap picture = lease.ui().takeScreenshot(call);
            if (picture == null) {
                throw new Failure(Failure.REFUSED, "Android gave no picture of the screen");
            }
            return picture;
        }
    }

    /** Pixels that live in the graphics memory cannot be read one by one. */
    private static Bitmap readable(Bitmap picture) {
        if (picture.getConfig() == Bitmap.Config.ARGB_8888) {
            return picture;
        }
        Bitmap copy = picture.copy(Bitmap.Config.ARGB_8888, false);
        picture.recycle();
        return copy;
    }

    /** The part between these sides, as far as the screen goes. */
    private static Bitmap cropped(Bitmap picture, int left, int top, int right, int bottom) throws Failure {
        int width = Math.min(right, picture.getWidth()) - left;
        int height = Math.min(bottom, picture.getHeight()) - top;
        if (width <= 0 || height <= 0) {
            throw Fields.wrong("left", "the left side of a part of the screen");
        }
        if (width == picture.getWidth() && height == picture.getHeight()) {
            return picture;
        }
        Bitmap part = Bitmap.createBitmap(picture, left, top, width, height);
        picture.recycle();
        return part;
    }

    private static Bitmap scaled(Bitmap picture, int longest) {
        int side = Math.max(picture.getWidth(), picture.getHeight());
        if (side <= longest) {
            return picture;
        }
        double share = (double) longest / side;
        int width = Math.max(1, (int) Math.round(picture.getWidth() * share));
        int height = Math.max(1, (int) Math.round(picture.getHeight() * share));
        Bitmap scaled = Bitmap.createScaledBitmap(picture, width, height, true);
        picture.recycle();
        return scaled;
    }

    private static byte[] encode(Bitmap picture, String format, int quality) throws Failure {
        if (format.equals("rgba")) {
            ByteBuffer pixels = ByteBuffer.allocate(picture.getByteCount());
            picture.copyPixelsToBuffer(pixels);
            return pixels.array();
        }
        boolean jpeg = format.equals("jpeg");
        Bitmap.CompressFormat compress = jpeg ? Bitmap.CompressFormat.JPEG : Bitmap.CompressFormat.PNG;
        ByteArrayOutputStream file = new ByteArrayOutputStream(128 * 1024);
        if (!picture.compress(compress, quality, file)) {
            throw new Failure(Failure.INTERNAL, "Android could not encode the picture");
        }
        return file.toByteArray();
    }

    private static boolean isBlack(Bitmap picture) {
        for (int row = 0; row < GRID; row++) {
            for (int column = 0; column < GRID; column++) {
                int x = (2 * column + 1) * picture.getWidth() / (2 * GRID);
                int y = (2 * row + 1) * picture.getHeight() / (2 * GRID);
                if ((picture.getPixel(x, y) & COLOR) != 0) {
                    return false;
                }
            }
        }
        return true;
    }
}
