package dev.consignee.transport.jms;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ElementsTest {

    private final Elements elements = new Elements(new byte[3_000_000]);

    @Test
    void neighboursThatAreKeptAreOneStretchHoweverMany() {
        for (int at = 0; at < 3_000_000; at += 3) {
            elements.keep(at, at + 3, 2);
        }

        assertThat(elements.count()).isEqualTo(2_000_000);
        assertThat(elements.asMap()).as("what opens it, and the stretch").hasSize(2);
        assertThat(elements.changed()).isFalse();
    }

    @Test
    void whatIsLeftOutOrPutInDividesThem() {
        elements.keep(0, 3, 2);
        elements.drop();
        elements.keep(6, 9, 2);
        elements.put(Piece.NULL, Piece.NULL);
        elements.keep(9, 12, 2);

        assertThat(elements.count()).isEqualTo(8);
        assertThat(elements.asMap()).extracting(Piece::length).containsExactly(3, 3, 3, 1, 1, 3);
        assertThat(elements.changed()).isTrue();
    }
}
