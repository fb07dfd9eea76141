package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.RtpProtocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.testkit.LoadedCapture;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecoderTest {
  private static final Path CAPTURES = Path.of("src/test/resources/io/linerate/decode/captures");

  /** Of each packet: in a soak 100 million of all together. */
  private static final int MUTATIONS = Soak.times(20, 85_000);

  /** Of each packet that is decoded in two ways. */
  private static final int COMPARED = Soak.times(20, 1_000);

  static List<Path> captures() throws IOException {
    try (Stream<Path> files = Files.list(CAPTURES)) {
      return files
          .filter(file -> file.toString().endsWith(".pcap") || file.toString().endsWith(".pcapng"))
          .sorted()
          .toList();
    }
  }

  /** Takes all that it is told, and reads each byte that it is told of. */
  static final class Reader implements FieldSink {
    private long sum;

    /** Fields of the packet, and their bytes. */
    private long steps;

    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {
      read(layer.bytes(), offset, bytes);
      sum += value;
    }

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
      read(source, offset, bytes);
    }

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
      read(layer.bytes(), offset, bytes);
      sum += value.length();
      steps += value.length();
    }

    long steps() {
      return steps;
    }

    private void read(ByteView source, int offset, int bytes) {
      steps += 1 + bytes;
      for (int i = 0; i < bytes; i++) {
        sum += source.u8(offset + i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("captures")
  @Tag("sampled")
  void shouldThrowForNoContent(Path file) {
    var random = new SplittableRandom(Soak.seed(1));
    var decoder = new Decoder(TsharkComparison.Options.of(file).bind(Protocols.standard()));
    var reader = new Reader();
    List<byte[]> all = new ArrayList<>();
    List<LinkType> types = new ArrayList<>();
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + file + ",linktype=any")) {
      capture.forEach(packet -> {
        all.add(packet.toBytes());
        types.add(packet.linkType());
      });
    }
    try (Packets packets = new Packets()) {
      for (int i = 0; i < all.size(); i++) {
        byte[] bytes = all.get(i);
        for (int length = 0; length <= bytes.length; length++) {
          check(decoder, reader, packets.of(Arrays.copyOf(bytes, length)), types.get(i));
        }
        for (int j = 0; j < MUTATIONS; j++) {
          check(decoder, reader, packets.of(mutated(bytes, random)), types.get(i));
        }
      }
    }
    assertThat(reader.sum).isNotZero();
  }

  @ParameterizedTest
  @MethodSource("captures")
  @Tag("sampled")
  void shouldCallNothingMalformedThatWasCutOff(Path file) {
    var decoder = new Decoder(Protocols.standard());
    var reader = new Reader();
    Set<String> wrong = new LinkedHashSet<>();
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + file + ",linktype=any");
        Packets packets = new Packets()) {
      capture.forEach(whole -> {
        if (whole.cutBytes() > 0 || whole.length() > Packets.ROOM_BYTES) {
          return;
        }
        byte[] bytes = whole.toBytes();
        check(decoder, reader, whole, whole.linkType());
        Set<String> malformed = malformed(decoder);
        for (int length = 0; length < bytes.length; length++) {
          Packet cut = packets.of(Arrays.copyOf(bytes, length));
          Mbuf.cutBytes(packets.owned().handle(0), bytes.length - length);
          check(decoder, reader, cut, whole.linkType());
          for (String layer : malformed(decoder)) {
            if (!malformed.contains(layer)) {
              wrong.add(layer + " of " + bytes.length + " cut to " + length);
            }
          }
        }
      });
    }
    assertThat(wrong).isEmpty();
  }

  private static Set<String> malformed(Decoder decoder) {
    Set<String> layers = new HashSet<>();
    for (int i = 0; i < decoder.count(); i++) {
      if (decoder.at(i).mark() == Mark.MALFORMED) {
        layers.add(decoder.at(i).name() + " at " + decoder.at(i).offset());
      }
    }
    return layers;
  }

  @Test
  void shouldFindNothingBehindHeadersOfIpThatCarryNothing() {
    var decoder = new Decoder(Protocols.standard());
    var reader = new Reader();
    try (Packets packets = new Packets()) {
      for (int tags = 0; tags <= 2; tags++) {
        for (int protocol = 0; protocol < 256; protocol++) {
          check(decoder, reader, packets.of(headerOnly(tags, 4, protocol)), LinkType.ETHERNET);
          assertThat(decoder.at(tags + 1).name()).isEqualTo("ip");
          check(decoder, reader, packets.of(headerOnly(tags, 6, protocol)), LinkType.ETHERNET);
          assertThat(decoder.at(tags + 1).name()).isEqualTo("ipv6");
        }
      }
    }
  }

  private static byte[] headerOnly(int tags, int version, int protocol) {
    int at = 14 + 4 * tags;
    ByteBuffer frame = ByteBuffer.allocate(at + (version == 4 ? 20 : 40));
    for (int i = 0; i < tags; i++) {
      frame.putShort(12 + 4 * i, (short) 0x8100);
    }
    if (version == 4) {
      frame.putShort(at - 2, (short) 0x0800).put(at, (byte) 0x45).putShort(at + 2, (short) 20);
      frame.put(at + 9, (byte) protocol);
    } else {
      frame.putShort(at - 2, (short) 0x86DD).put(at, (byte) 0x60).put(at + 6, (byte) protocol);
    }
    return frame.array();
  }

  @ParameterizedTest
  @MethodSource("captures")
  @Tag("sampled")
  void shouldFindTheSameLayersInOnePassAndByTheProtocols(Path file) {
    var random = new SplittableRandom(Soak.seed(2));
    var quick = new Decoder(Protocols.standard());
    var slow = new Decoder(Protocols.standard());
    List<byte[]> all = new ArrayList<>();
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + file + ",linktype=any")) {
      capture.forEach(packet -> {
        if (packet.isEthernet()) {
          all.add(packet.toBytes());
        }
      });
    }
    try (Packets packets = new Packets()) {
      for (byte[] bytes : all) {
        for (int i = 0; i < COMPARED; i++) {
          byte[] some = i == 0 ? bytes : mutated(bytes, random);
          if (i % 8 == 7) {
            int _ = quick.decode(ByteView.of(bytes, bytes.length), LinkType.ETHERNET, 0);
          }
          int _ = quick.decode(packets.of(some));
          int _ = slow.decode(ByteView.of(some, some.length), LinkType.ETHERNET, 0);
          assertThat(layers(quick)).isEqualTo(layers(slow));
        }
      }
    }
  }

  @Test
  void shouldFindAsManyRecordsAsThereArePlacesInOnePassAndByTheProtocols() {
    var quick = new Decoder(Protocols.standard());
    var slow = new Decoder(Protocols.standard());
    try (Packets packets = new Packets()) {
      for (int records = 0; records <= 70; records++) {
        for (int cut = 0; cut <= 8; cut++) {
          byte[] bytes = tls(records, cut);
          int _ = quick.decode(packets.of(bytes));
          int _ = slow.decode(ByteView.of(bytes, bytes.length), LinkType.ETHERNET, 0);
          assertThat(layers(quick)).as("records=%d, cut=%d", records, cut).isEqualTo(layers(slow));
        }
      }
    }
  }

  /** A segment of records of three bytes each, of which the last is not all there. */
  private static byte[] tls(int records, int cut) {
    int bytes = Math.max(0, 8 * records - cut);
    ByteBuffer frame = ByteBuffer.allocate(54 + bytes);
    frame.putShort(12, (short) 0x0800).put(14, (byte) 0x45).putShort(16, (short) (40 + bytes));
    frame.put(23, (byte) 6).putShort(36, (short) 443).put(46, (byte) 0x50).position(54);
    for (int i = 0; i < bytes; i++) {
      frame.put(HexFormat.of().parseHex("1703030003abcdef")[i % 8]);
    }
    return frame.array();
  }

  @Test
  void shouldRefuseBindingsThatNoPacketCanHave() {
    Protocols protocols = Protocols.standard();
    DispatchKey mistyped = new DispatchTable("udp.prt").key(53);
    assertThatThrownBy(() -> protocols.bind(mistyped, "dns"))
        .hasMessageStartingWith("no such table: name=udp.prt, nearest=udp.port; there are");
    DispatchKey port = DispatchTable.UDP_PORT.key(65_535);
    assertThatThrownBy(() -> protocols.bind(port, "dnss"))
        .hasMessageStartingWith("no such protocol: name=dnss, nearest=dns;");
    assertThatThrownBy(() -> DispatchTable.UDP_PORT.key(65_536))
        .hasMessage(
            "number is out of range: table=udp.port, number=65536; 0 to 65535 are possible");
    assertThat(protocols.bind(RtpProtocol.PAYLOAD_TYPE.key(96), "data").bindings())
        .containsKey(RtpProtocol.PAYLOAD_TYPE.key(96));
  }

  @Test
  void shouldAskProtocolsThatStandInTheirPlace() {
    Protocol own =
        new Protocol() {
          @Override
          public Fields fields() {
            return TcpProtocol.TCP;
          }

          @Override
          public List<DispatchKey> keys() {
            return List.of(DispatchTable.IP_PROTOCOL.key(6));
          }

          @Override
          public void scan(Scan scan) {
            scan.header(4);
          }
        };
    List<Protocol> all = new ArrayList<>(Protocols.standard().all());
    all.replaceAll(protocol -> protocol.fields() == TcpProtocol.TCP ? own : protocol);
    var decoder = new Decoder(Protocols.of(all));
    try (Packets packets = new Packets()) {
      int _ = decoder.decode(packets.of(tls(1, 0)));
    }
    assertThat(decoder.at(2).payloadOffset()).isEqualTo(38);
  }

  @Test
  void shouldShowEachPacketOfABurstThatIsThere() {
    var decoder = new Decoder(Protocols.standard());
    List<String> shown = new ArrayList<>();
    var listener =
        new DecodeListener() {
          @Override
          public void onPacket(Decoder found, Packet packet) {
            shown.add(packet.index() + " " + found.count() + " " + found.frame().number());
            assertThat(found.at(0).bytes()).isSameAs(packet);
          }

          @Override
          public void onEndOfBurst() {
            shown.add("end");
          }
        };
    try (Packets packets = new Packets()) {
      Packet _ = packets.append(tls(1, 0));
      packets.append(tls(2, 0)).drop(DropReason.CONSUMED);
      Packet _ = packets.append(tls(3, 0));
      decoder.decode(packets.burst(), listener);
      assertThat(shown).containsExactly("0 4 1", "2 6 2", "end");
    }
  }

  @Test
  void shouldDecodeNoBurstWhileItDecodesOne() {
    var decoder = new Decoder(Protocols.standard());
    List<Integer> shown = new ArrayList<>();
    try (Packets packets = new Packets()) {
      Packet _ = packets.of(tls(1, 0));
      Burst burst = packets.burst();
      DecodeListener again = (found, packet) -> found.decode(burst, (_, _) -> {});
      assertThatThrownBy(() -> decoder.decode(burst, again))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("frame=1");
      decoder.decode(burst, (found, packet) -> shown.add(found.count()));
    }
    assertThat(shown).containsExactly(4);
  }

  private static List<String> layers(Decoder decoder) {
    List<String> layers = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < decoder.count(); i++) {
      Layer layer = decoder.at(i);
      names.add(layer.name());
      layers.add(layer + " payload=" + layer.payloadOffset() + " mark=" + layer.mark());
      layers.add("sent=" + layer.claimedEnd() + " payload=" + layer.claimedPayloadBytes());
    }
    for (Protocol protocol : decoder.protocols().all()) {
      Layer first = decoder.layer(protocol.fields());
      if (decoder.has(first)) {
        layers.add(first + " is said to be there, with " + values(first));
      }
      assertThat(decoder.has(first))
          .as(protocol.toString())
          .isEqualTo(names.contains(first.name()));
    }
    return layers;
  }

  private static List<Long> values(Layer layer) {
    return layer.protocol().fields().all().stream()
        .filter(field -> field.isFixed() && field.bits() <= Long.SIZE && layer.has(field))
        .map(layer::value)
        .toList();
  }

  static void check(Decoder decoder, Reader reader, Packet packet, LinkType type) {
    packet.linkType(type);
    reader.steps = 0;
    int count = decoder.decode(packet);
    decoder.dissect(reader);
    if (!isRight(decoder, count, packet.length())
        || reader.steps() > DecodeWorkTest.mostSteps(packet.length())) {
      fail(
          "layers=%s, steps=%d, packet=%s"
              .formatted(
                  layers(decoder), reader.steps(), HexFormat.of().formatHex(packet.toBytes())));
    }
  }

  private static boolean isRight(Decoder decoder, int count, int length) {
    boolean isRight = count >= 1 && count <= Decoder.MAX_LAYERS && count == decoder.count();
    for (int i = 0; i < decoder.count(); i++) {
      Layer layer = decoder.at(i);
      isRight &= layer.offset() >= 0 && layer.offset() <= length && layer.end() <= length;
      isRight &= layer.payloadOffset() >= layer.offset() && layer.payloadOffset() <= layer.end();
    }
    return isRight;
  }

  static byte[] mutated(byte[] bytes, SplittableRandom random) {
    byte[] changed = bytes.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      changed[random.nextInt(bytes.length)] =
          (byte) (random.nextBoolean() ? random.nextInt() : 0xFF);
    }
    return changed;
  }
}
