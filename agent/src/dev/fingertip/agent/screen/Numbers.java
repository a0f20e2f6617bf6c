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

    void add(int... more) {
        if (size + more.length > values.length) {
            values = Arrays.copyOf(values, values.length * 2);
        }
        for (int value : more) {
            values[size++] = value;
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
