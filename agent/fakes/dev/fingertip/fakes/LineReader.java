package dev.fingertip.fakes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads lines, and bytes between them. A screen is one long line, so nothing is done byte by byte that need not be. */
final class LineReader {
    private final InputStream in;
    private byte[] buffer = new byte[64 * 1024];
    private int start;
    private int end;

    LineReader(InputStream in) {
        this.in = in;
    }

    String line() throws IOException {
        int looked = start;
        while (true) {
            for (; looked < end; looked++) {
                if (buffer[looked] == '\n') {
                    String line = new String(buffer, start, looked - start, StandardCharsets.UTF_8);
                    start = looked + 1;
                    return line;
                }
            }
            looked -= start;
            fill();
            looked += start;
        }
    }

    byte[] bytes(int count) throws IOException {
        while (end - start < count) {
            fill();
        }
        start += count;
        return Arrays.copyOfRange(buffer, start - count, start);
    }

    private void fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0) {
            throw new EOFException("the phone closed the bridge");
        }
        end += read;
    }
}
