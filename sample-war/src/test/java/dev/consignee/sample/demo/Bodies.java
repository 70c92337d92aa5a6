package dev.consignee.sample.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Message bodies in a file: each line is one, byte for byte, whatever it holds. */
final class Bodies {

    private Bodies() {}

    /** Reads the lines, without their ends. */
    static List<byte[]> of(Path file) throws IOException {
        return lines(Files.readAllBytes(file));
    }

    /** Splits at line feeds, with or without a carriage return; the last line may lack its own. */
    static List<byte[]> lines(byte[] text) {
        List<byte[]> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                int end = i > start && text[i - 1] == '\r' ? i - 1 : i;
                lines.add(Arrays.copyOfRange(text, start, end));
                start = i + 1;
            }
        }
        if (start < text.length) {
            lines.add(Arrays.copyOfRange(text, start, text.length));
        }
        return lines;
    }
}
