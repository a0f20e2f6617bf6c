package android.graphics;

import android.hardware.HardwareBuffer;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** A picture in the memory of the JVM; the screen has no transparent pixels, so none are kept. */
public final class Bitmap {
    public enum CompressFormat {
        JPEG,
        PNG
    }

    public enum Config {
        ARGB_8888
    }

    private final BufferedImage image;

    Bitmap(BufferedImage image) {
        this.image = image;
    }

    /** From red, green, blue and alpha, a byte each. */
    public Bitmap(int width, int height, byte[] pixels) {
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        int[] packed = new int[width * height];
        for (int index = 0; index < packed.length; index++) {
            int red = pixels[index * 4] & 255;
            int green = pixels[index * 4 + 1] & 255;
            int blue = pixels[index * 4 + 2] & 255;
            packed[index] = red << 16 | green << 8 | blue;
        }
        image.getRaster().setDataElements(0, 0, width, height, packed);
    }

    public static Bitmap createBitmap(Bitmap source, int x, int y, int width, int height) {
        BufferedImage part = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = part.createGraphics();
        graphics.drawImage(source.image, -x, -y, null);
        graphics.dispose();
        return new Bitmap(part);
    }

    public static Bitmap createBitmap(int width, int height, Config config) {
        return new Bitmap(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB));
    }

    public static Bitmap createScaledBitmap(Bitmap source, int width, int height, boolean filter) {
        BufferedImage scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = scaled.createGraphics();
        graphics.setRenderingHint(
            RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(source.image, 0, 0, width, height, null);
        graphics.dispose();
        return new Bitmap(scaled);
    }

    public static Bitmap wrapHardwareBuffer(HardwareBuffer buffer, ColorSpace space) {
        return buffer.picture;
    }

    public boolean compress(CompressFormat format, int quality, OutputStream out) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format.name()).next();
        try (ImageOutputStream stream = ImageIO.createImageOutputStream(out)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            if (format == CompressFormat.JPEG) {
                parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                parameters.setCompressionQuality(quality / 100f);
            }
            writer.setOutput(stream);
            writer.write(null, new IIOImage(image, null, null), parameters);
            return true;
        } catch (IOException failed) {
            return false;
        } finally {
            writer.dispose();
        }
    }

    public Bitmap copy(Config config, boolean mutable) {
        return this;
    }

    public void copyPixelsToBuffer(Buffer buffer) {
        ByteBuffer bytes = (ByteBuffer) buffer;
        for (int pixel : image.getRGB(0, 0, getWidth(), getHeight(), null, 0, getWidth())) {
            bytes.put((byte) (pixel >> 16)).put((byte) (pixel >> 8)).put((byte) pixel).put((byte) (pixel >> 24));
        }
    }

    public int getByteCount() {
        return 4 * getWidth() * getHeight();
    }

    public Config getConfig() {
        return Config.ARGB_8888;
    }

    public int getHeight() {
        return image.getHeight();
    }

    public int getPixel(int x, int y) {
        return image.getRGB(x, y);
    }

    public int getWidth() {
        return image.getWidth();
    }

    public void setPixel(int x, int y, int color) {
        image.setRGB(x, y, color);
    }

    public void recycle() {}
}
