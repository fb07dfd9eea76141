package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.ByteView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the messages of protocols over streams end. */
class MessageBytesTest {
  private final Protocols protocols = Protocols.standard();
  private final Decoder decoder = new Decoder(protocols);

  private int messageBytes(String protocol, byte[] bytes, int length) {
    Protocol named = Objects.requireNonNull(protocols.named(protocol));
    return decoder.messageBytes(named, ByteView.of(bytes, length), 0, 0);
  }

  private static Arguments text(String protocol, String message) {
    return Arguments.of(protocol, message.getBytes(StandardCharsets.US_ASCII));
  }

  private static Arguments hex(String protocol, String message) {
    return Arguments.of(protocol, HexFormat.of().parseHex(message));
  }

  static Stream<Arguments> messages() {
    return Stream.of(
        hex("dns_tcp", "0011" + "0001010000010000000000000000010001"),
        hex("tls", "1603010004" + "0e000000"),
        hex("stun", "000100002112a442" + "000102030405060708090a0b"),
        hex("snmp", "3008" + "0201000403616263"),
        hex("snmp", "30820008" + "0201000403616263"),
        text("http", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        text("http", "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd"),
        text("http", "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n"),
        text("http", "HTTP/1.1 200 OK\r\ncontent-length:3\r\n\r\nabc"),
        text(
            "http",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n"),
        text("sip", "ACK sip:a@b SIP/2.0\r\nCall-ID: 1\r\n\r\n"),
        text("sip", "SIP/2.0 200 OK\r\nl: 3\r\n\r\nabc"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void shouldSayWhereAMessageEndsOnceThatIsThere(String protocol, byte[] message) {
    byte[] followed = ByteBuffer.allocate(2 * message.length).put(message).put(message).array();
    for (int length = 0; length <= followed.length; length++) {
      int told = messageBytes(protocol, followed, length);
      assertThat(told).as("bytes=%d", length).isIn(0, message.length);
      if (length >= message.length) {
        assertThat(told).as("bytes=%d", length).isEqualTo(message.length);
      }
    }
  }

  @Test
  void shouldTellWhatIsNoMessage() {
    byte[] noise = new byte[600];
    Arrays.fill(noise, (byte) 0xA5);
    for (String protocol : new String[] {"tls", "stun", "snmp", "http", "sip"}) {
      assertThat(messageBytes(protocol, noise, noise.length))
          .as(protocol)
          .isEqualTo(Protocol.UNKNOWN);
    }
  }

  @Test
  void shouldNotEndABodyThatEndsWithItsStream() {
    byte[] answer = "HTTP/1.0 200 OK\r\n\r\nbody".getBytes(StandardCharsets.US_ASCII);
    assertThat(messageBytes("http", answer, answer.length)).isEqualTo(Protocol.UNKNOWN);
  }
}
