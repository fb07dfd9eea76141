package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.PacketMaker;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames as the kernel sends them over a veth pair, with what they should be on a wire. */
class PartialChecksumTest {
  /** DNS query from 10.0.0.1:1024 to 10.0.0.2:53, "abc" as its payload. */
  private static final String UDP4 =
      "020000000002"
          + "020000000001"
          + "0800"
          + "4500001f00004000401126cc0a0000010a000002"
          + "04000035000b"
          + "0000"
          + "616263";

  private static final String TCP6_ADDRESSES =
      "fd000000000000000000000000000001" + "fd000000000000000000000000000002";
  private static final String TCP6 =
      "020000000002"
          + "020000000001"
          + "8100000586dd"
          + "6000000000150640"
          + TCP6_ADDRESSES
          + "d4310050000000010000000050020200"
          + "0000"
          + "0000"
          + "99";

  private final PacketPools pools = new PacketPools();
  private final PacketMaker maker = new PacketMaker("frames", pools, 64);
  private final OwnedBurst burst = new OwnedBurst(new MbufArray(8));
  private final PartialChecksum checksum = new PartialChecksum();

  @AfterEach
  void allGoHome() {
    burst.finish(new FreeBuffer(pools, 1));
    assertThat(pools.close()).isEmpty();
  }

  private static byte[] withField(String hex, int offset, int value) {
    byte[] frame = HexFormat.of().parseHex(hex);
    frame[offset] = (byte) (value >>> 8);
    frame[offset + 1] = (byte) value;
    return frame;
  }

  private Packet make(byte[] frame) {
    assertThat(maker.append(burst.array(), frame)).isTrue();
    return burst.packet(burst.size() - 1);
  }

  private boolean finish() {
    return checksum.finish(burst.handle(burst.size() - 1));
  }

  /** Sum of 16-bit numbers, folded: by hand, apart from the code under test. */
  private static int sum(byte[] bytes, int from, int to, int more) {
    long sum = more;
    for (int i = from; i < to; i += 2) {
      sum += (bytes[i] & 0xFF) << 8 | (i + 1 < to ? bytes[i + 1] & 0xFF : 0);
    }
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (int) sum;
  }

  @Test
  void shouldFinishUdpOverIpv4() {
    byte[] frame = HexFormat.of().parseHex(UDP4);
    int pseudo = sum(frame, 26, 34, 17 + 11);
    Packet packet = make(withField(UDP4, 40, pseudo));

    assertThat(finish()).isTrue();

    assertThat(packet.u16(40)).isEqualTo(~sum(frame, 34, 45, pseudo) & 0xFFFF);
    assertThat(finish()).as("finished twice").isFalse();
  }

  @Test
  void shouldFinishTcpOverIpv6BehindAVlanTag() {
    byte[] frame = HexFormat.of().parseHex(TCP6);
    int pseudo = sum(frame, 26, 58, 6 + 21);
    Packet packet = make(withField(TCP6, 74, pseudo));

    assertThat(finish()).isTrue();

    assertThat(packet.u16(74)).isEqualTo(~sum(frame, 58, 79, pseudo) & 0xFFFF);
  }

  @Test
  void shouldFinishAcrossSegmentsOfOddLength() {
    byte[] frame = HexFormat.of().parseHex(UDP4);
    int pseudo = sum(frame, 26, 34, 17 + 11);
    byte[] partial = withField(UDP4, 40, pseudo);
    make(partial);
    long first = burst.handle(0);
    make(partial);
    long second = burst.handle(1);
    // 43 bytes in the first segment, 2 in the second.
    Mbuf.dataLength(first, 43);
    Mbuf.dataOffset(second, Mbuf.dataOffset(second) + 43);
    Mbuf.dataLength(second, 2);
    Mbuf.next(first, second);
    Mbuf.segments(first, 2);

    assertThat(checksum.finish(first)).isTrue();

    assertThat(burst.packet(0).u16(40)).isEqualTo(~sum(frame, 34, 45, pseudo) & 0xFFFF);
    Mbuf.next(first, 0);
    Mbuf.segments(first, 1);
    Mbuf.packetLength(first, 43);
  }

  @Test
  void shouldLeaveFinishedFramesFragmentsAndStumpsAlone() {
    byte[] frame = HexFormat.of().parseHex(UDP4);
    int pseudo = sum(frame, 26, 34, 17 + 11);
    make(withField(UDP4, 40, pseudo ^ 0x1234));
    assertThat(finish()).as("finished").isFalse();

    byte[] fragment = withField(UDP4, 40, pseudo);
    fragment[20] = 0x20;
    make(fragment);
    assertThat(finish()).as("fragment").isFalse();

    byte[] partial = withField(UDP4, 40, pseudo);
    for (int length = 0; length < partial.length; length++) {
      byte[] stump = java.util.Arrays.copyOf(partial, length);
      Packet packet = make(stump);
      assertThat(finish()).as("stump of %d bytes", length).isFalse();
      assertThat(packet.toBytes()).isEqualTo(stump);
      burst.finish(new FreeBuffer(pools, 1));
    }
  }

  @Test
  void shouldWriteFfffForAUdpChecksumOfZero() {
    byte[] frame = HexFormat.of().parseHex(UDP4);
    int pseudo = sum(frame, 26, 34, 17 + 11);
    // The source port is chosen so that everything adds up to 0xFFFF.
    int rest = sum(frame, 36, 45, pseudo);
    byte[] partial = withField(UDP4, 40, pseudo);
    partial[34] = (byte) ((0xFFFF - rest) >>> 8);
    partial[35] = (byte) (0xFFFF - rest);
    Packet packet = make(partial);

    assertThat(finish()).isTrue();

    assertThat(packet.u16(40)).isEqualTo(0xFFFF);
  }
}
