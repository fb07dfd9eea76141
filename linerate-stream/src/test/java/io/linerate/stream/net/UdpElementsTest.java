package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.graph.Graph;
import io.linerate.graph.Node;
import io.linerate.stream.Bytes;
import io.linerate.stream.Streams;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Compression;
import io.linerate.testkit.graph.ElementHarness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens that leave as datagrams, and come back as tokens. */
class UdpElementsTest {
  private static final LinkKey KEY =
      LinkKey.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

  private final Random random = new Random(1);

  private static Stream<PayloadCodec> codecs() {
    return Stream.of(
        PayloadCodec.plain(),
        PayloadCodec.sealed(KEY, AeadAlgorithm.AES_256_GCM),
        PayloadCodec.sealed(KEY, AeadAlgorithm.CHACHA20_POLY1305),
        PayloadCodec.compressed(Compression.DEFLATE, 1));
  }

  /** Copies what comes: tokens are gone when the harness looks at them. */
  private static Graph receiving(PayloadCodec codec) {
    return Streams.graph(s -> {
      Node in = s.graph().add("in", new UdpIn(5_000, codec, 9_000));
      s.graph().chain(s.graph().input("in"), in);
      s.graph().chain(in.out("rest"), s.graph().output("rest"));
      s.objects(in, Bytes.class).map("copy", byte[].class, Bytes::toBytes).out("out");
    });
  }

  private static List<byte[]> send(PayloadCodec codec, String to, List<byte[]> messages) {
    String from = to.startsWith("[") ? "[2001:db8::1]:5001" : "192.0.2.1:5001";
    try (ElementHarness sender = new ElementHarness(new UdpOut(from, to, codec))) {
      messages.forEach(message -> sender.give(Bytes.of(ComputedNetwork.segment(message))));
      sender.round();
      return List.copyOf(sender.out("out"));
    }
  }

  private static List<byte[]> receive(PayloadCodec codec, List<byte[]> frames) {
    try (ElementHarness receiver = new ElementHarness(receiving(codec))) {
      frames.forEach(receiver::push);
      return receiver.tokens("out").stream().map(byte[].class::cast).toList();
    }
  }

  private List<byte[]> messages() {
    List<byte[]> messages = new ArrayList<>();
    for (int bytes : new int[] {0, 1, 63, 64, 1_000, 1_400, 8_900}) {
      byte[] message = new byte[Math.max(1, bytes)];
      random.nextBytes(message);
      Arrays.fill(message, 0, bytes / 2, (byte) 7);
      messages.add(Arrays.copyOf(message, Math.max(1, bytes)));
    }
    return messages;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void shouldBringPayloadsAsTheyWere(PayloadCodec codec) {
    for (String to : List.of("192.0.2.2:5000", "[2001:db8::2]:5000")) {
      List<byte[]> messages = messages();
      List<byte[]> frames = send(codec, to, messages);
      assertThat(frames).hasSize(messages.size());
      assertThat(receive(codec, frames)).containsExactlyElementsOf(messages);
    }
  }

  @Test
  void shouldTakeNoSealedDatagramTwiceAndNoneThatIsChanged() {
    PayloadCodec codec = PayloadCodec.sealed(KEY, AeadAlgorithm.AES_256_GCM);
    List<byte[]> messages = messages();
    List<byte[]> frames = new ArrayList<>(send(codec, "192.0.2.2:5000", messages));
    byte[] changed = frames.getLast().clone();
    changed[changed.length - 20] ^= 1;
    frames.addAll(List.copyOf(frames));
    frames.add(changed);
    try (ElementHarness receiver = new ElementHarness(receiving(codec))) {
      frames.forEach(receiver::push);
      assertThat(receiver.tokens("out")).hasSize(messages.size());
      assertThat(receiver.drops()).containsEntry("bad_payload", messages.size() + 1L);
    }
    byte[] other = "X123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    assertThat(
            receive(
                PayloadCodec.sealed(LinkKey.of(other), AeadAlgorithm.AES_256_GCM),
                send(codec, "192.0.2.2:5000", messages)))
        .isEmpty();
  }

  @Test
  void shouldLetOtherDatagramsGoOn() {
    PayloadCodec codec = PayloadCodec.plain();
    List<byte[]> frames = send(codec, "192.0.2.2:5002", messages());
    try (ElementHarness receiver = new ElementHarness(receiving(codec))) {
      frames.forEach(receiver::push);
      assertThat(receiver.out("rest")).containsExactlyElementsOf(frames);
    }
  }
}
