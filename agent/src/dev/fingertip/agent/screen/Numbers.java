package dev.fingertip.agent.screen;

import dev.fingertip.agent.wire.JsonWriter;
import java.util.Arrays;

/** A growing list of integers, without an object for each. */
final class Numbers {
    private int[] values = new int[1024];
    private int size;

    int size() {
        return size;
    }

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    void add(int... more) {
        for (int value : more) {
            add(value);
        }
    }

    void set(int index, int value) {
        values[index] = value;
    }

    void write(JsonWriter out, int from, int to) {
        for (int index = from; index < to; index++) {
            out.value(values[index]);
        }
    }
}
