package io.linerate.decode;

import static io.linerate.decode.protocol.WlanManagementProtocol.MANAGEMENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.DnsProtocol;
import io.linerate.decode.protocol.HttpProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.LldpProtocol;
import io.linerate.decode.protocol.LlmnrProtocol;
import io.linerate.decode.protocol.MdnsProtocol;
import io.linerate.decode.protocol.MplsProtocol;
import io.linerate.decode.protocol.RadiusProtocol;
import io.linerate.decode.protocol.SipProtocol;
import io.linerate.decode.protocol.SnmpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.testkit.LoadedCapture;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How much work a packet makes, counted and not timed: in proportion to its bytes, whatever they
 * are. What is counted is bytes that are read, fields that are told, and bytes that those have.
 */
class DecodeWorkTest {
  /** Of a packet, all protocols together; see {@link #perByte} for each. */
  private static final int STEPS_PER_BYTE = 512;

  private static final int STEPS_PER_PACKET = 4_096;

  /** So many that work in proportion to their square is far above the bound. */
  private static final int BYTES = 60_000;

  /** Of each layer of each packet. */
  private static final int TRIES = Soak.times(4, 60);

  private static final int NAME_LABELS = 127;
  private static final int FOLLOWED_POINTERS = 126;

  /** Steps that a protocol makes for each byte at most, if not as many as {@link #USUAL}. */
  private static final Map<String, Integer> BY_PROTOCOL =
      Map.of(
          DnsProtocol.DNS.name(), 160,
          MdnsProtocol.MDNS.name(), 160,
          LlmnrProtocol.LLMNR.name(), 160,
          HttpProtocol.HTTP.name(), 70);

  private static final int USUAL = 16;

  private final Protocols protocols = Protocols.standard();
  private final Decoder decoder = new Decoder(protocols);

  /** Steps that a packet of so many bytes makes at most. */
  static long mostSteps(int bytes) {
    return STEPS_PER_PACKET + (long) STEPS_PER_BYTE * bytes;
  }

  static List<Path> captures() throws IOException {
    return DecoderTest.captures();
  }

  private static final class CountedBytes implements ByteView {
    private final byte[] bytes;
    private long reads;

    private CountedBytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public int u8(int offset) {
      reads++;
      return bytes[offset] & 0xFF;
    }
  }

  private static final class CountingSink implements FieldSink {
    private long told;

    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {
      told++;
    }

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {
      told += 1 + bytes;
    }

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
      told += 1 + value.length();
    }
  }

  /** Steps that a layer of a protocol makes, with all that it carries. */
  private long steps(Protocol protocol, byte[] content) {
    var bytes = new CountedBytes(content);
    var sink = new CountingSink();
    int _ = decoder.decode(ByteView.of(new byte[0], 0), LinkType.ETHERNET, 0);
    decoder.append(bytes, 0, content.length, protocol, 0);
    decoder.dissect(sink);
    return bytes.reads + sink.told;
  }

  @ParameterizedTest
  @MethodSource("captures")
  @Tag("sampled")
  void shouldWorkInProportionToTheBytesOfEachProtocol(Path file) {
    var random = new SplittableRandom(Soak.seed(4));
    var finder = new Decoder(protocols);
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + file + ",linktype=any")) {
      capture.forEach(packet -> {
        int _ = finder.decode(packet);
        for (int i = 0; i < finder.count(); i++) {
          grow(finder.at(i), packet, random);
        }
      });
    }
  }

  private void grow(Layer layer, Packet packet, SplittableRandom random) {
    Protocol protocol = layer.protocol();
    if (layer.offset() == packet.length() || protocol.fields().equals(MANAGEMENT)) {
      return; // Management reads the header before it, and grows with that.
    }
    for (int i = 0; i < TRIES; i++) {
      byte[] content = repeated(packet.toBytes(), layer.offset(), random);
      check(protocol, content);
    }
  }

  private void check(Protocol protocol, byte[] content) {
    long steps = steps(protocol, content);
    long most = STEPS_PER_PACKET + (long) perByte() * content.length;
    if (steps > most) {
      assertThat(steps)
          .as(
              "protocol=%s, content=%s",
              protocol.fields().name(), HexFormat.of().formatHex(content, 0, 256))
          .isLessThanOrEqualTo(most);
    }
  }

  /** By the layer that makes the most. */
  private int perByte() {
    int most = USUAL;
    for (int i = 0; i < decoder.count(); i++) {
      most = Math.max(most, BY_PROTOCOL.getOrDefault(decoder.at(i).name(), USUAL));
    }
    return most;
  }

  /** The start of a layer with some bytes changed, and then a piece of it again and again. */
  private static byte[] repeated(byte[] packet, int from, SplittableRandom random) {
    byte[] bytes = DecoderTest.mutated(packet, random);
    int left = bytes.length - from;
    int start = random.nextInt(left + 1);
    int piece = Math.min(1 + random.nextInt(random.nextBoolean() ? 4 : 64), left);
    int pieceAt = from + random.nextInt(left - piece + 1);
    byte[] content = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      content[i] = i < start ? bytes[from + i] : bytes[pieceAt + (i - start) % piece];
    }
    return content;
  }

  static List<Arguments> pieces() {
    return List.of(
        text("headers without a colon", HttpProtocol.HTTP, "GET / HTTP/1.1\r\n", "a:\n"),
        text("requests without end", HttpProtocol.HTTP, "GET / HTTP/1.1\r\n\r\n", "GET /\n"),
        text("addresses", SipProtocol.SIP, "INVITE a SIP/2.0\r\nTo: ", "a,"),
        text("places", SipProtocol.SIP, "INVITE a SIP/2.0\r\nVia: ", "//,"),
        text("headers", SipProtocol.SIP, "INVITE a SIP/2.0\r\n", "To:\n"),
        text("credentials", SipProtocol.SIP, "INVITE a SIP/2.0\r\nAuthorization: a ", "\","),
        bytes("tunnels", Ipv4Protocol.IP, "", "45000000000000000004000000000000000000ff"),
        bytes(
            "quotations", Ipv4Protocol.IP, "", "450000000000000040010000000000000000000003000000"),
        bytes("extension headers", Ipv6Protocol.IPV6_HEADER, "6".repeat(80), "0000000000000000"),
        bytes("labels", MplsProtocol.MPLS, "", "00000000"),
        bytes("tags", VlanProtocol.VLAN, "", "00008100"),
        bytes("elements of no length", LldpProtocol.LLDP, "", "0200"),
        bytes("attributes of no length", RadiusProtocol.RADIUS, "0100ea60" + "00".repeat(16), "00"),
        bytes("sequences in sequences", SnmpProtocol.SNMP, "", "3080"));
  }

  private static Arguments text(String name, Fields protocol, String start, String piece) {
    return Arguments.of(
        name,
        protocol,
        start.getBytes(StandardCharsets.ISO_8859_1),
        piece.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Arguments bytes(String name, Fields protocol, String start, String piece) {
    HexFormat hex = HexFormat.of();
    return Arguments.of(name, protocol, hex.parseHex(start), hex.parseHex(piece));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  void shouldWorkInProportionToTheBytesOfWhatIsMadeToBeSlow(
      String name, Fields protocol, byte[] start, byte[] piece) {
    assertThat(name).isNotEmpty();
    byte[] content = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      content[i] = i < start.length ? start[i] : piece[(i - start.length) % piece.length];
    }
    check(protocols.named(protocol.name()), content);
  }

  /**
   * A name as long as one can be, pointers to it, as many as are followed, and questions of them.
   */
  @Test
  void shouldWorkInProportionToTheBytesOfCompressedNames() {
    byte[] content = new byte[BYTES];
    content[4] = (byte) 0xFF; // Questions.
    content[5] = (byte) 0xFF;
    int at = 12;
    for (int i = 0; i < NAME_LABELS; i++) {
      content[at] = 1;
      content[at + 1] = 7; // Written as four characters.
      at += 2;
    }
    at++;
    int target = 12;
    for (int i = 0; i < FOLLOWED_POINTERS; i++) {
      at = pointer(content, at, target);
      target = at - 2;
    }
    // What is before is questions of six bytes, too.
    for (at += 4; at + 6 <= BYTES; at += 4) {
      at = pointer(content, at, target);
    }
    for (Fields protocol : List.of(DnsProtocol.DNS, MdnsProtocol.MDNS, LlmnrProtocol.LLMNR)) {
      check(protocols.named(protocol.name()), content);
    }
  }

  private static int pointer(byte[] content, int at, int target) {
    content[at] = (byte) (0xC0 | (target >>> Byte.SIZE));
    content[at + 1] = (byte) target;
    return at + 2;
  }
}
