package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A TCP packet in a tunnel that stands for several is cut into the frames that its sender would
 * have sent one by one; and the checksum of one that is left to a device is found and finished.
 */
class TunnelSegmentsTest {
  private static final int MTU = 1_500;
  private static final int SEGMENT_BYTES = 1_000;
  private static final int PAYLOAD_BYTES = 2_500;
  private static final int TCP_BYTES = 20;
  private static final int PSH_ACK = 0x18;
  private static final int ACK = 0x10;

  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86DD;
  private static final int ETHERNET = 0x6558;

  /** A tunnel: puts the inner packet, the {@code i}th of several, into a frame. */
  enum Tunnel {
    IPV4_IN_IPV4(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(4, 7 + i, inner));
      }
    },
    IPV6_IN_IPV4(false, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(41, 7 + i, inner));
      }
    },
    IPV6_IN_IPV6(false, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV6, ipv6(41, inner));
      }
    },
    GRE(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(47, 7 + i, joined(words(0, IPV4), inner)));
      }
    },
    GRE_WITH_KEY_AND_ETHERNET(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        byte[] header = words(0x2000, ETHERNET, 1, 2);
        return ethernet(IPV4, ipv4(47, 7 + i, joined(header, ethernet(IPV4, inner))));
      }
    },
    VXLAN(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(17, 7 + i, vxlan(true, ethernet(IPV4, inner))));
      }
    },
    VXLAN_WITHOUT_CHECKSUM(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(17, 7 + i, vxlan(false, ethernet(IPV4, inner))));
      }
    },
    VXLAN_OVER_IPV6_OF_TAGGED_FRAMES(false, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        byte[] tagged = joined(new byte[12], words(0x8100, 5, IPV6), inner);
        return ethernet(IPV6, ipv6(17, vxlan(true, tagged)));
      }
    },
    GENEVE_WITH_OPTIONS(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        byte[] header = words(0x0200, ETHERNET, 0, 0x0700, 1, 2, 3, 4);
        byte[] udp = udp(true, joined(header, ethernet(IPV4, inner)));
        return ethernet(IPV4, ipv4(17, 7 + i, udp));
      }
    },
    IPV4_IN_UDP(true, true) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(17, 7 + i, udp(true, inner)));
      }
    },
    // What follows has more lengths or sums than are known.
    GRE_WITH_CHECKSUM(true, false) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(47, 7 + i, joined(words(0x8000, IPV4, 0, 0), inner)));
      }
    },
    GTP_U(true, false) {
      @Override
      byte[] frame(byte[] inner, int i) {
        byte[] header = words(0x30FF, inner.length, 0, 1);
        return ethernet(IPV4, ipv4(17, 7 + i, udp(true, joined(header, inner))));
      }
    },
    IPV4_IN_IPV4_IN_IPV4(true, false) {
      @Override
      byte[] frame(byte[] inner, int i) {
        return ethernet(IPV4, ipv4(4, 7 + i, ipv4(4, 9 + i, inner)));
      }
    };

    private final boolean isInnerIpv4;
    private final boolean isKnown;

    Tunnel(boolean isInnerIpv4, boolean isKnown) {
      this.isInnerIpv4 = isInnerIpv4;
      this.isKnown = isKnown;
    }

    abstract byte[] frame(byte[] inner, int i);

    private byte[] frame(int i, long sequence, int flags, byte[] payload) {
      byte[] tcp = tcp(sequence, flags, payload);
      return frame(isInnerIpv4 ? ipv4(6, 0xFFFF + i, tcp) : ipv6(6, tcp), i);
    }
  }

  private static byte[] joined(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }

  private static byte[] words(int... words) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * words.length);
    Arrays.stream(words).forEach(word -> bytes.putShort((short) word));
    return bytes.array();
  }

  private static byte[] ethernet(int type, byte[] packet) {
    return joined(new byte[] {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1}, words(type), packet);
  }

  private static byte[] tcp(long sequence, int flags, byte[] payload) {
    int high = (int) (sequence >>> 16);
    return joined(words(1_234, 80, high, (int) sequence, 0, 1, 0x5000 | flags, 256, 0, 0), payload);
  }

  /** With a checksum of 0xFFFF, to be made, or none. */
  private static byte[] udp(boolean hasChecksum, byte[] payload) {
    return joined(words(9_999, 4_789, 8 + payload.length, hasChecksum ? 0xFFFF : 0), payload);
  }

  private static byte[] vxlan(boolean hasChecksum, byte[] frame) {
    return udp(hasChecksum, joined(words(0x0800, 0, 0, 0x0700), frame));
  }

  private static byte[] ipv4(int protocol, int id, byte[] payload) {
    byte[] packet =
        joined(
            words(0x4500, 20 + payload.length, id, 0, 0x4000 | protocol, 0),
            words(0x0A00, 1, 0x0A00, 2),
            payload);
    put(packet, 10, ~sum(packet, 0, 20));
    finish(packet, 20, protocol, sum(packet, 12, 20));
    return packet;
  }

  private static byte[] ipv6(int protocol, byte[] payload) {
    byte[] packet =
        joined(
            words(0x6000, 0, payload.length, protocol << 8 | 64),
            words(0xFD00, 0, 0, 0, 0, 0, 0, 1, 0xFD00, 0, 0, 0, 0, 0, 0, 2),
            payload);
    finish(packet, 40, protocol, sum(packet, 8, 40));
    return packet;
  }

  /** Makes the checksum of TCP, and of UDP where there is to be one. */
  private static void finish(byte[] packet, int at, int protocol, int addresses) {
    int field = at + (protocol == 6 ? 16 : 6);
    if (protocol != 6 && (protocol != 17 || u16(packet, field) == 0)) {
      return;
    }
    put(packet, field, 0);
    int sum = sum(packet, at, packet.length) + addresses + protocol + packet.length - at;
    put(packet, field, ~fold(sum));
  }

  private static int u16(byte[] bytes, int at) {
    return ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
  }

  private static void put(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  private static int sum(byte[] bytes, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      sum = fold(sum + ((bytes[i] & 0xFF) << (((i - from) & 1) == 0 ? 8 : 0)));
    }
    return sum;
  }

  private static int fold(int sum) {
    int folded = (sum & 0xFFFF) + (sum >>> 16);
    return (folded & 0xFFFF) + (folded >>> 16);
  }

  private final PacketPools pools = new PacketPools();
  private final BufferPool pool = pools.create("parts", 64, 128, 2_000);
  private final BufferPool large = pools.create("large", 2, 128, 8_000);
  private final Segmenter segmenter = new Segmenter(new PacketChains(() -> pool));
  private final PartialChecksum checksum = new PartialChecksum();
  private final MbufArray made = new MbufArray(64);

  @AfterEach
  void sendHome() {
    pools.free(made.address(), made.size());
    assertThat(pools.close()).isEmpty();
  }

  private static byte[] payload(int from, int to) {
    byte[] bytes = new byte[to - from];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((from + i) * 31);
    }
    return bytes;
  }

  private long packet(byte[] bytes) {
    assertThat(large.allocate(made, 1)).isTrue();
    long mbuf = made.handle(made.size() - 1);
    Mbuf.dataLength(mbuf, bytes.length);
    Mbuf.packetLength(mbuf, bytes.length);
    SegmentCopy.write(mbuf, 0, bytes, 0, bytes.length);
    return mbuf;
  }

  private static byte[] bytes(long mbuf) {
    byte[] bytes = new byte[Mbuf.packetLength(mbuf)];
    SegmentCopy.read(mbuf, 0, bytes, 0, bytes.length);
    return bytes;
  }

  private static long superPacket(long mbuf) {
    Mbuf.superPacket(mbuf, SEGMENT_BYTES);
    Mbuf.innerBytes(mbuf, TCP_BYTES + PAYLOAD_BYTES);
    return mbuf;
  }

  private List<byte[]> cut(long mbuf) {
    List<byte[]> parts = new ArrayList<>();
    for (int left = segmenter.begin(mbuf, MTU); left > 0; left--) {
      made.append(segmenter.next());
      parts.add(bytes(made.handle(made.size() - 1)));
    }
    return parts;
  }

  @ParameterizedTest
  @EnumSource
  void shouldCutIntoWhatTheSenderWouldHaveSent(Tunnel tunnel) {
    byte[] whole = tunnel.frame(0, 0xFFFF_FF00L, PSH_ACK, payload(0, PAYLOAD_BYTES));
    long mbuf = superPacket(packet(whole));

    List<byte[]> parts = cut(mbuf);

    if (tunnel.isKnown) {
      assertThat(parts)
          .containsExactly(
              tunnel.frame(0, 0xFFFF_FF00L, ACK, payload(0, 1_000)),
              tunnel.frame(1, 0xFFFF_FF00L + 1_000, ACK, payload(1_000, 2_000)),
              tunnel.frame(2, 0xFFFF_FF00L + 2_000, PSH_ACK, payload(2_000, 2_500)));
    } else {
      assertThat(parts).isEmpty();
    }
    assertThat(bytes(mbuf)).as("the original").isEqualTo(whole);
  }

  /** As it comes from the tunnel's end, where an element has taken its headers off. */
  @Test
  void shouldCutWhatHasLeftItsTunnel() {
    byte[] payload = payload(0, PAYLOAD_BYTES);
    long mbuf = superPacket(packet(ethernet(IPV4, ipv4(6, 1, tcp(5, ACK, payload)))));
    assertThat(cut(mbuf)).hasSize(3);
  }

  @Test
  void shouldNotCutWhatIsNotWhereItIsSaidToBe() {
    byte[] whole = Tunnel.VXLAN.frame(0, 1, ACK, payload(0, PAYLOAD_BYTES));
    long mbuf = superPacket(packet(whole));
    Mbuf.innerBytes(mbuf, TCP_BYTES + PAYLOAD_BYTES + 2);
    assertThat(cut(mbuf)).isEmpty();
  }

  /** Where nothing but the field tells it, as at an AF_XDP socket behind a veth pair. */
  @ParameterizedTest
  @EnumSource
  void shouldFinishTheChecksumInside(Tunnel tunnel) {
    byte[] whole = tunnel.frame(0, 1, PSH_ACK, payload(0, 500));
    long mbuf = packet(whole);
    assertThat(checksum.finish(mbuf)).as("nothing is left").isFalse();
    assertThat(bytes(mbuf)).isEqualTo(whole);

    unfinish(mbuf, whole.length - 500 - TCP_BYTES, tunnel.isInnerIpv4);

    assertThat(checksum.finish(mbuf)).isEqualTo(tunnel.isKnown);
    if (tunnel.isKnown) {
      assertThat(bytes(mbuf)).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldFinishThemOfWhatIsSentWhole(Tunnel tunnel) {
    if (!tunnel.isKnown) {
      return;
    }
    byte[] whole = tunnel.frame(0, 1, PSH_ACK, payload(0, PAYLOAD_BYTES));
    long mbuf = superPacket(packet(whole));
    unfinish(mbuf, whole.length - PAYLOAD_BYTES - TCP_BYTES, tunnel.isInnerIpv4);

    checksum.finishUnfinished(mbuf);

    assertThat(bytes(mbuf)).isEqualTo(whole);
  }

  /** Writes the sum of the pseudo header alone, as the kernel does. */
  private static void unfinish(long mbuf, int tcp, boolean isIpv4) {
    byte[] bytes = bytes(mbuf);
    int addresses = isIpv4 ? sum(bytes, tcp - 8, tcp) : sum(bytes, tcp - 32, tcp);
    put(bytes, tcp + 16, fold(addresses + 6 + bytes.length - tcp));
    SegmentCopy.write(mbuf, 0, bytes, 0, bytes.length);
  }

  /** Random bytes, and frames with some flipped: it ends, and reads nothing else. */
  @Test
  void shouldTakeAnyBytes() {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      Tunnel tunnel = Tunnel.values()[random.nextInt(Tunnel.values().length)];
      byte[] bytes = tunnel.frame(0, 1, ACK, payload(0, 40));
      for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      long mbuf = packet(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
      Mbuf.superPacket(mbuf, 16);
      Mbuf.innerBytes(mbuf, TCP_BYTES + 40);
      checksum.finish(mbuf);
      checksum.finishUnfinished(mbuf);
      cut(mbuf);
      pools.free(made.address(), made.size());
      made.clear();
    }
  }
}
