package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmenterTest {
  private static final int MTU = 1_500;

  /**
   * Identification FFFF, sequence number FFFFFF00, flags FIN, PSH, ACK and CWR, 4 bytes of options.
   */
  private static final String TCP4 =
      "020000000002020000000001"
          + "0800"
          + "45000000ffff40004006"
          + "0000"
          + "0a000001"
          + "0a000002"
          + "04d20050ffffff0000000001"
          + "60990100"
          + "00000000"
          + "01010101";

  private static final String TCP6 =
      "020000000002020000000001"
          + "81000005"
          + "86dd"
          + "600000000000"
          + "0640"
          + "fd000000000000000000000000000001"
          + "fd000000000000000000000000000002"
          + "04d200500000000000000001"
          + "50100100"
          + "00000000";

  private static final String UDP4 =
      "020000000002020000000001"
          + "0800"
          + "4500000000014000"
          + "4011"
          + "0000"
          + "0a000001"
          + "0a000002"
          + "04d2003500000000";

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool = pools.create("parts", 64, 128, 600);
  private final BufferPool large = pools.create("large", 2, 128, 60_000);
  private final Segmenter segmenter = new Segmenter(new PacketChains(() -> pool));
  private final MbufArray made = new MbufArray(256);

  @AfterEach
  void sendHome() {
    pools.free(made.address(), made.size());
    assertThat(pools.close()).isEmpty();
  }

  /** A packet with correct lengths and checksums. */
  private long packet(String headers, int payloadBytes) {
    byte[] head = HexFormat.of().parseHex(headers);
    byte[] bytes = Arrays.copyOf(head, head.length + payloadBytes);
    for (int i = head.length; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 + (i >>> 8));
    }
    assertThat(large.allocate(made, 1)).isTrue();
    long mbuf = made.handle(made.size() - 1);
    int network = headers.substring(24).startsWith("8100") ? 18 : 14;
    boolean isIpv4 = bytes[network] >>> 4 == 4;
    if (isIpv4) {
      put(bytes, network + 2, bytes.length - network);
      put(bytes, network + 10, ~sum(bytes, network, network + 20, 0));
    } else {
      put(bytes, network + 4, bytes.length - network - 40);
    }
    int transport = network + (isIpv4 ? 20 : 40);
    if (headers.equals(UDP4)) {
      put(bytes, transport + 4, bytes.length - transport);
    }
    put(bytes, transport + (headers.equals(UDP4) ? 6 : 16), ~transportSum(bytes, network));
    Mbuf.dataLength(mbuf, bytes.length);
    Mbuf.packetLength(mbuf, bytes.length);
    SegmentCopy.write(mbuf, 0, bytes, 0, bytes.length);
    return mbuf;
  }

  private static void put(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  private static int u16(byte[] bytes, int at) {
    return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
  }

  private static long u32(byte[] bytes, int at) {
    return ((long) u16(bytes, at) << 16) | u16(bytes, at + 2);
  }

  /** Folded sum of 16-bit numbers: by hand, apart from the code under test. */
  private static int sum(byte[] bytes, int from, int to, int more) {
    long sum = more;
    for (int i = from; i < to; i++) {
      sum += (long) (bytes[i] & 0xFF) << (((i - from) & 1) == 0 ? 8 : 0);
    }
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (int) sum;
  }

  /** Of pseudo header, header and payload: 0xFFFF when the checksum among them is right. */
  private static int transportSum(byte[] bytes, int network) {
    boolean isIpv4 = bytes[network] >>> 4 == 4;
    int transport = network + (isIpv4 ? 20 : 40);
    int protocol = bytes[network + (isIpv4 ? 9 : 6)];
    int addresses =
        isIpv4
            ? sum(bytes, network + 12, network + 20, 0)
            : sum(bytes, network + 8, network + 40, 0);
    return sum(bytes, transport, bytes.length, addresses + protocol + bytes.length - transport);
  }

  private List<byte[]> cut(long mbuf) {
    List<byte[]> parts = new ArrayList<>();
    for (int left = segmenter.begin(mbuf, MTU); left > 0; left--) {
      long part = segmenter.next();
      assertThat(part).isNotZero();
      made.append(part);
      parts.add(bytes(part));
    }
    return parts;
  }

  private static byte[] bytes(long mbuf) {
    byte[] bytes = new byte[Mbuf.packetLength(mbuf)];
    SegmentCopy.read(mbuf, 0, bytes, 0, bytes.length);
    return bytes;
  }

  @Test
  void shouldCutTcpOverIpv4() {
    long mbuf = packet(TCP4, 2_500);
    byte[] whole = bytes(mbuf);
    Mbuf.superPacket(mbuf, 1_000);

    List<byte[]> parts = cut(mbuf);

    assertThat(parts).extracting(part -> part.length).containsExactly(1_058, 1_058, 558);
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      byte[] part = parts.get(i);
      payload.write(part, 58, part.length - 58);
      assertThat(u16(part, 16)).as("total length").isEqualTo(part.length - 14);
      assertThat(u16(part, 18)).as("identification").isEqualTo((0xFFFF + i) & 0xFFFF);
      assertThat(sum(part, 14, 34, 0)).as("sum of the IPv4 header").isEqualTo(0xFFFF);
      assertThat(u32(part, 38))
          .as("sequence")
          .isEqualTo((0xFFFF_FF00L + 1_000L * i) & 0xFFFF_FFFFL);
      assertThat(transportSum(part, 14)).as("sum of the segment").isEqualTo(0xFFFF);
    }
    assertThat(payload.toByteArray()).isEqualTo(Arrays.copyOfRange(whole, 58, whole.length));
    assertThat(parts).extracting(part -> part[47] & 0xFF).containsExactly(0x90, 0x10, 0x19);
    assertThat(bytes(mbuf)).as("the original").isEqualTo(whole);
  }

  @Test
  void shouldCutTcpOverIpv6BehindAVlanTag() {
    long mbuf = packet(TCP6, 3_000);

    List<byte[]> parts = cut(mbuf);

    assertThat(parts).extracting(part -> part.length).containsExactly(1_518, 1_518, 198);
    for (byte[] part : parts) {
      assertThat(u16(part, 22)).as("payload length").isEqualTo(part.length - 58);
      assertThat(transportSum(part, 18)).as("sum of the segment").isEqualTo(0xFFFF);
    }
  }

  @Test
  void shouldCutDatagramsThatStandForSeveralAndNoOthers() {
    long mbuf = packet(UDP4, 2_500);
    assertThat(segmenter.begin(mbuf, MTU)).as("one long datagram").isZero();

    Mbuf.superPacket(mbuf, 1_200);
    List<byte[]> parts = cut(mbuf);

    assertThat(parts).extracting(part -> part.length).containsExactly(1_242, 1_242, 142);
    for (byte[] part : parts) {
      assertThat(u16(part, 38)).as("length").isEqualTo(part.length - 34);
      assertThat(transportSum(part, 14)).as("sum of the datagram").isEqualTo(0xFFFF);
    }
  }

  /** Cut elsewhere it would be datagrams that nobody has sent, with right checksums. */
  @Test
  void shouldCutNoDatagramThatAnInterfaceIsTooSmallFor() {
    long mbuf = packet(UDP4, 2_500);
    Mbuf.superPacket(mbuf, MTU - 28);
    assertThat(segmenter.begin(mbuf, MTU)).isPositive();
    Mbuf.superPacket(mbuf, MTU - 27);
    assertThat(segmenter.begin(mbuf, MTU)).isZero();
  }

  @Test
  void shouldLeaveOutTheChecksumOfDatagramsThatHaveNone() {
    long mbuf = packet(UDP4, 2_500);
    NativeMemory.netU16(Mbuf.dataAddress(mbuf) + 40, 0);
    Mbuf.superPacket(mbuf, 1_200);

    assertThat(cut(mbuf)).extracting(part -> u16(part, 40)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 54, 57, 58, 600})
  void shouldCutWhereverThePacketIsSplit(int firstBytes) {
    long mbuf = packet(TCP4, 2_500);
    Mbuf.superPacket(mbuf, 1_000);
    List<byte[]> expected = cut(mbuf);
    byte[] whole = bytes(mbuf);
    assertThat(large.allocate(made, 1)).isTrue();
    long second = made.handle(made.size() - 1);
    Mbuf.dataLength(second, whole.length - firstBytes);
    SegmentCopy.write(second, 0, whole, firstBytes, whole.length - firstBytes);
    Mbuf.dataLength(mbuf, firstBytes);
    Mbuf.next(mbuf, second);
    Mbuf.segments(mbuf, 2);

    assertThat(cut(mbuf)).containsExactlyElementsOf(expected);

    Mbuf.next(mbuf, 0);
    Mbuf.segments(mbuf, 1);
  }

  @Test
  void shouldLeaveWhatIsShortOrUnknownAsItIs() {
    long mbuf = packet(TCP4, 1_000);
    Mbuf.superPacket(mbuf, 1_000);
    assertThat(segmenter.begin(mbuf, MTU)).as("one segment").isZero();

    long fragment = packet(TCP4, 3_000);
    NativeMemory.netU16(Mbuf.dataAddress(fragment) + 20, 0x2000);
    assertThat(segmenter.begin(fragment, MTU)).as("fragment").isZero();
  }

  @Test
  void shouldSayWhenThereAreNoBuffers() {
    long mbuf = packet(TCP4, 50_000);
    Mbuf.superPacket(mbuf, 500);
    int parts = segmenter.begin(mbuf, MTU);
    assertThat(parts).isEqualTo(100);

    int count = 0;
    for (long part = segmenter.next(); part != 0; part = segmenter.next()) {
      made.append(part);
      count++;
    }

    assertThat(count).isEqualTo(64);
  }
}
