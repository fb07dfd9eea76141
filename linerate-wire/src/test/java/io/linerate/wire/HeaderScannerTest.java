package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HeaderScannerTest {
  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  static List<Corpus.Sample> samples() {
    return Corpus.samples();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldFindTheLayers(Corpus.Sample sample) {
    assertThat(scanner.scan(packets.of(sample.bytes()))).isTrue();
    assertThat(scanner.defect()).isEqualTo(HeaderDefect.NONE);
    requireLayersOf(sample);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldFindTheSameWhereverThePacketIsSplit(Corpus.Sample sample) {
    byte[] bytes = sample.bytes();
    for (int first = 0; first <= bytes.length; first++) {
      assertThat(scanner.scan(packets.ofSegments(bytes, first, bytes.length - first))).isTrue();
      requireLayersOf(sample);
    }
  }

  private void requireLayersOf(Corpus.Sample sample) {
    assertThat(scanner.etherType()).isEqualTo(sample.etherType());
    assertThat(scanner.vlanTags()).isEqualTo(sample.vlanTags());
    assertThat(scanner.ipVersion()).isEqualTo(sample.ipVersion());
    assertThat(scanner.ipProtocol()).isEqualTo(sample.ipProtocol());
    assertThat(scanner.l3Offset()).isEqualTo(sample.l3Offset());
    assertThat(scanner.l4Offset()).isEqualTo(sample.l4Offset());
    assertThat(scanner.isFragment()).isEqualTo(!sample.fragment().equals("none"));
    assertThat(scanner.isFirstFragment()).isEqualTo(sample.fragment().equals("first"));
    assertThat(scanner.isLaterFragment()).isEqualTo(sample.fragment().equals("later"));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldNameADefectOrStayInsideAtEveryLength(Corpus.Sample sample) {
    scanner.scan(packets.of(sample.bytes()));
    int headersEnd = Math.max(scanner.l3Offset(), scanner.l4Offset());
    int ipEnd = scanner.ipEnd();
    for (int length = 0; length < sample.bytes().length; length++) {
      Packet packet = packets.of(Arrays.copyOf(sample.bytes(), length));
      boolean sound = scanner.scan(packet);
      assertThat(sound).isEqualTo(scanner.defect().soundUpToL3());
      if (sample.ipVersion() != 0 && length < ipEnd) {
        assertThat(scanner.defect()).isNotEqualTo(HeaderDefect.NONE);
        assertThat(sound || length < headersEnd || sample.l4Offset() < 0).isTrue();
      }
      assertThat(scanner.l3Offset()).isLessThanOrEqualTo(length);
      assertThat(scanner.l4Offset()).isLessThanOrEqualTo(length);
      assertThat(scanner.ipEnd()).isLessThanOrEqualTo(length);
      assertThat(scanner.l4Bytes()).isNotNegative();
      if (scanner.l4Fits() && scanner.ipProtocol() == IpProtocol.TCP) {
        assertThat(Tcp.fits(packet, scanner.l4Offset())).isTrue();
      }
      if (scanner.l4Fits() && scanner.ipProtocol() == IpProtocol.UDP) {
        assertThat(Udp.fits(packet, scanner.l4Offset())).isTrue();
      }
    }
  }

  @Test
  void shouldNotTakePaddingForPayload() {
    scanner.scan(packets.of(Corpus.bytes("udp-padded")));
    assertThat(scanner.ipEnd()).isEqualTo(14 + 29);
    assertThat(scanner.l4Bytes()).isEqualTo(9);
    assertThat(scanner.l4Fits()).isTrue();
  }

  @Test
  void shouldGiveNoHeaderBehindTheEndOfTheIpPacket() {
    // Twenty bytes of header and seven more: one too few for UDP, though padding follows.
    requireDefect("udp-padded", 16, 0x001B, HeaderDefect.TRUNCATED_L4, true);
    assertThat(scanner.l4Offset()).isEqualTo(-1);
    assertThat(scanner.l4Fits()).isFalse();
    assertThat(scanner.ipProtocol()).isEqualTo(IpProtocol.UDP);
  }

  @Test
  void shouldNameDefectsOfIpv4() {
    requireDefect("tcp-plain", 14, 0x6500, HeaderDefect.BAD_IP_VERSION, false);
    requireDefect("tcp-plain", 14, 0x4400, HeaderDefect.BAD_HEADER_LENGTH, false);
    requireDefect("tcp-plain", 14, 0x4F00, HeaderDefect.BAD_TOTAL_LENGTH, false, 16, 59);
    requireDefect("tcp-plain", 16, 19, HeaderDefect.BAD_TOTAL_LENGTH, false);
    requireDefect("tcp-plain", 16, 0xFFFF, HeaderDefect.TRUNCATED_PAYLOAD, true);
    requireDefect("udp-padded", 14, 0x4F00, HeaderDefect.TRUNCATED_IP, false);
  }

  @Test
  void shouldNameDefectsOfTcp() {
    requireDefect("tcp-plain", 46, 0x4018, HeaderDefect.BAD_DATA_OFFSET, true);
    assertThat(scanner.l4Fits()).isFalse();
    requireDefect("tcp-plain", 46, 0xF018, HeaderDefect.TRUNCATED_L4, true);
    assertThat(scanner.l4Fits()).isFalse();
  }

  @Test
  void shouldNameDefectsOfIpv6() {
    requireDefect("ipv6-tcp", 14, 0x4500, HeaderDefect.BAD_IP_VERSION, false);
    requireDefect("ipv6-tcp", 18, 0xFFFF, HeaderDefect.TRUNCATED_PAYLOAD, true);
    requireDefect("ipv6-chain", 54, 0x3CFF, HeaderDefect.TRUNCATED_EXTENSION_HEADER, false);
    assertThat(scanner.ipProtocol()).isEqualTo(-1);
  }

  @Test
  void shouldBoundTheNumberOfExtensionHeaders() {
    requireExtensionHeaders(HeaderScanner.MAX_EXTENSION_HEADERS, HeaderDefect.NONE);
    requireExtensionHeaders(
        HeaderScanner.MAX_EXTENSION_HEADERS + 1, HeaderDefect.TOO_MANY_EXTENSION_HEADERS);
  }

  /** Whether the first header says that more follows or the second one does, or both or none. */
  @ParameterizedTest
  @CsvSource({"0, 0", "0, 1", "1, 0", "1, 1"})
  void shouldRefuseASecondFragmentHeader(int firstFlags, int secondFlags) {
    byte[] nested = withFragmentHeaders(firstFlags, secondFlags);
    assertThat(scanner.scan(packets.of(nested))).isFalse();
    assertThat(scanner.defect()).isEqualTo(HeaderDefect.NESTED_FRAGMENT);
    assertThat(scanner.ipProtocol()).isEqualTo(-1);
    assertThat(scanner.l4Offset()).isEqualTo(-1);
  }

  /** What follows the header of a later fragment is payload, whatever it looks like. */
  @Test
  void shouldNotLookForHeadersInALaterFragment() {
    assertThat(scanner.scan(packets.of(withFragmentHeaders(8, 1)))).isTrue();
    assertThat(scanner.isLaterFragment()).isTrue();
    assertThat(scanner.ipProtocol()).isEqualTo(-1);
  }

  private static byte[] withFragmentHeaders(int firstOffsetAndFlags, int secondOffsetAndFlags) {
    byte[] packet = Arrays.copyOf(Corpus.bytes("ipv6-udp"), 54 + 8 + 8 + 8);
    packet[19] = 24;
    packet[20] = IpProtocol.IPV6_FRAG;
    Arrays.fill(packet, 54, packet.length, (byte) 0);
    packet[54] = IpProtocol.IPV6_FRAG;
    packet[54 + 3] = (byte) firstOffsetAndFlags;
    packet[62] = IpProtocol.UDP;
    packet[62 + 3] = (byte) secondOffsetAndFlags;
    return packet;
  }

  private void requireExtensionHeaders(int count, HeaderDefect expected) {
    byte[] ipv6 = Arrays.copyOf(Corpus.bytes("ipv6-udp"), 54 + 8 * count + 8);
    ipv6[19] = (byte) (8 * count + 8);
    ipv6[20] = IpProtocol.IPV6_OPTS;
    for (int i = 0; i < count; i++) {
      ipv6[54 + 8 * i] = (byte) (i == count - 1 ? IpProtocol.UDP : IpProtocol.IPV6_OPTS);
      ipv6[54 + 8 * i + 1] = 0;
    }
    assertThat(scanner.scan(packets.of(ipv6))).isEqualTo(expected == HeaderDefect.NONE);
    assertThat(scanner.defect()).isEqualTo(expected);
    assertThat(scanner.ipProtocol()).isEqualTo(expected == HeaderDefect.NONE ? 17 : -1);
  }

  @Test
  void shouldTakeTheLengthOfAJumbogramFromThePacket() {
    byte[] bytes = Corpus.bytes("ipv6-chain").clone();
    bytes[18] = 0;
    bytes[19] = 0;
    assertThat(scanner.scan(packets.of(bytes))).isTrue();
    assertThat(scanner.defect()).isEqualTo(HeaderDefect.NONE);
    assertThat(scanner.l4Offset()).isEqualTo(Corpus.sample("ipv6-chain").l4Offset());
  }

  @Test
  void shouldForgetThePacketBefore() {
    scanner.scan(packets.of(Corpus.bytes("ipv6-later-fragment")));
    scanner.scan(packets.of(Corpus.bytes("tcp-plain")));
    requireLayersOf(Corpus.sample("tcp-plain"));
    scanner.scan(packets.of(new byte[0]));
    assertThat(scanner.etherType()).isEqualTo(-1);
    assertThat(scanner.l3Offset()).isEqualTo(-1);
    assertThat(scanner.ipVersion()).isZero();
    assertThat(scanner.ipProtocol()).isEqualTo(-1);
    assertThat(scanner.l4Offset()).isEqualTo(-1);
    assertThat(scanner.l4Fits()).isFalse();
    assertThat(scanner.defect()).isEqualTo(HeaderDefect.TRUNCATED_ETHERNET);
  }

  /** Changes one u16 of a packet, and more as offset and value, and scans it. */
  private void requireDefect(
      String name, int offset, int value, HeaderDefect expected, boolean sound, int... more) {
    Packet packet = packets.of(Corpus.bytes(name));
    packet.u16(offset, value);
    for (int i = 0; i < more.length; i += 2) {
      packet.u16(more[i], more[i + 1]);
    }
    assertThat(scanner.scan(packet)).isEqualTo(sound);
    assertThat(scanner.defect()).isEqualTo(expected);
  }
}
