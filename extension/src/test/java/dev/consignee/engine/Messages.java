package dev.consignee.engine;

import dev.consignee.MessageId;
import dev.consignee.transport.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Messages for tests. */
final class Messages {

    private Messages() {}

    static Message text(String text) {
        return of("text/plain", text.getBytes(StandardCharsets.UTF_8));
    }

    static Message json(String json) {
        return of("application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    static Message of(String contentType, byte[]... sections) {
        return of(contentType, new Message.Data(List.of(sections)));
    }

    static Message of(String contentType, Message.Body body) {
        Message.Properties properties =
                Message.Properties.builder().contentType(contentType).build();
        return new Message(Message.Header.NONE, Map.of(), properties, Map.of(), body);
    }

    static Message counted(OptionalLong deliveryCount) {
        Message.Header header = new Message.Header(true, OptionalInt.empty(), Optional.empty(), deliveryCount);
        return new Message(header, Map.of(), Message.Properties.NONE, Map.of("k", "v", "n", 7), new Message.None());
    }

    static Message withId(String id, String text) {
        Message.Properties properties =
                Message.Properties.builder().messageId(MessageId.of(id)).build();
        Message.Header header = new Message.Header(true, OptionalInt.empty(), Optional.empty(), OptionalLong.of(0));
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        return new Message(header, Map.of(), properties, Map.of(), new Message.Data(List.of(body)));
    }
}
