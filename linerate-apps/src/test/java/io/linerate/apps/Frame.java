package io.linerate.apps;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A frame whose content is known from how it was made, not from reading it.
 *
 * @param kind what is in it
 * @param source the last byte of the source address: 10.0.0.N or fd00::N
 * @param protocol behind all extension headers
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Frame(Kind kind, int source, int protocol, byte[] bytes) {
  /** What may be in a frame. */
  enum Kind {
    IPV4,
    IPV6,
    ARP,
    MALFORMED
  }

  private static final int[] PROTOCOLS = {1, 2, 6, 17, 47, 58};
  private static final int UDP = 17;
  private static final int FRAGMENT_HEADER = 44;
  private static final int PAYLOAD_BYTES = 40;

  /** Frames of all kinds, with none to two VLAN tags. */
  static List<Frame> random(int count, long seed) {
    Random random = new Random(seed);
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frames.add(random(random, i));
    }
    return frames;
  }

  private static Frame random(Random random, int serial) {
    int source = random.nextInt(16);
    int protocol = PROTOCOLS[random.nextInt(PROTOCOLS.length)];
    int tags = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
    ByteBuffer frame = ByteBuffer.allocate(200);
    frame.putInt(serial).putLong(0x0200_0000_0000_0001L);
    for (int i = 0; i < tags; i++) {
      frame.putShort((short) 0x8100).putShort((short) (i + 5));
    }
    return switch (random.nextInt(10)) {
      case 0 -> arp(frame, random);
      case 1 -> malformed(frame);
      case 2, 3, 4 -> ipv6(frame, source, protocol, random);
      default -> ipv4(frame, source, protocol, random);
    };
  }

  private static Frame of(Kind kind, int source, int protocol, ByteBuffer frame) {
    byte[] bytes = new byte[frame.position()];
    frame.get(0, bytes);
    return new Frame(kind, source, protocol, bytes);
  }

  private static Frame arp(ByteBuffer frame, Random random) {
    frame.putShort((short) 0x0806).position(frame.position() + 28 + random.nextInt(18));
    return of(Kind.ARP, 0, 0, frame);
  }

  /** IPv4 whose header length is below the least. */
  private static Frame malformed(ByteBuffer frame) {
    frame.putShort((short) 0x0800).put((byte) 0x44).position(frame.position() + 40);
    return of(Kind.MALFORMED, 0, 0, frame);
  }

  /** With options or as a later fragment, sometimes. */
  private static Frame ipv4(ByteBuffer frame, int source, int protocol, Random random) {
    int options = random.nextInt(3) == 0 ? 4 * (1 + random.nextInt(10)) : 0;
    int fragment = random.nextInt(4) == 0 ? 0x2005 : 0;
    frame.putShort((short) 0x0800);
    int start = frame.position();
    frame.put((byte) (0x45 + options / 4)).put((byte) 0);
    frame.putShort((short) (20 + options + PAYLOAD_BYTES)).putShort((short) 1);
    frame.putShort((short) fragment).put((byte) 64).put((byte) protocol).putShort((short) 0);
    frame.putInt(0x0A00_0000 | source).putInt(0x0A00_0001);
    frame.position(start + 20 + options);
    payload(frame);
    return of(Kind.IPV4, source, protocol, frame);
  }

  /** Sometimes behind a hop-by-hop header, sometimes a later fragment. */
  private static Frame ipv6(ByteBuffer frame, int source, int protocol, Random random) {
    int extension = random.nextInt(3);
    int first = extension == 0 ? protocol : extension == 1 ? 0 : FRAGMENT_HEADER;
    frame.putShort((short) 0x86DD).putInt(0x6000_0000);
    frame.putShort((short) (PAYLOAD_BYTES + (extension == 0 ? 0 : 8)));
    frame.put((byte) first).put((byte) 64);
    frame.putLong(0xFD00_0000_0000_0000L).putLong(source);
    frame.putLong(0xFD00_0000_0000_0000L).putLong(1);
    if (extension == 1) {
      frame.put((byte) protocol).put((byte) 0).putShort((short) 0x0104).putInt(0);
    } else if (extension == 2) {
      frame.put((byte) protocol).put((byte) 0).putShort((short) (9 << 3)).putInt(77);
    }
    payload(frame);
    return of(Kind.IPV6, source, protocol, frame);
  }

  /** Sound for TCP too: a data offset of five words at byte 12. */
  private static void payload(ByteBuffer frame) {
    int start = frame.position();
    frame.position(start + PAYLOAD_BYTES);
    frame.put(start + 12, (byte) 0x50);
  }

  /** IPv4 and UDP, {@code length} bytes long. */
  static byte[] udp(int source, int length) {
    ByteBuffer frame = ByteBuffer.allocate(length);
    frame.position(12);
    frame.putShort((short) 0x0800).putShort((short) 0x4500).putShort((short) (length - 14));
    frame.putInt(0).put((byte) 64).put((byte) UDP).putShort((short) 0);
    frame.putInt(0x0A00_0000 | source).putInt(0x0A00_0001);
    frame.putShort(38, (short) (length - 34));
    return frame.array();
  }
}
