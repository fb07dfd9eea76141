package io.linerate.apps;

import static io.linerate.testkit.graph.FrameBuilder.udp4;

import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Udp;
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
    Kind kind =
        switch (random.nextInt(10)) {
          case 0 -> Kind.ARP;
          case 1 -> Kind.MALFORMED;
          case 2, 3, 4 -> Kind.IPV6;
          default -> Kind.IPV4;
        };
    FrameBuilder frame =
        switch (kind) {
          case ARP ->
              FrameBuilder.arp(
                      Arp.REPLY,
                      FrameBuilder.MAC_A,
                      FrameBuilder.A4,
                      FrameBuilder.MAC_B,
                      FrameBuilder.B4)
                  .padding(random.nextInt(18));
          case MALFORMED -> FrameBuilder.ipv4().ipv4(ip -> ip.ihl(4)).payload(20);
          case IPV4 -> ipv4(source, protocol, random);
          case IPV6 -> ipv6(source, protocol, random);
        };
    for (int i = 0; i < tags; i++) {
      frame = frame.vlan(i + 5);
    }
    return new Frame(
        kind,
        source,
        protocol,
        frame.bytes(0, serial >>> 24, serial >>> 16, serial >>> 8, serial).toBytes());
  }

  /** With options or as a later fragment, sometimes. */
  private static FrameBuilder ipv4(int source, int protocol, Random random) {
    FrameBuilder frame =
        payload(FrameBuilder.ipv4().between("10.0.0." + source, "10.0.0.1"), protocol);
    if (random.nextInt(3) == 0) {
      frame = frame.options(new int[4 * (1 + random.nextInt(10))]);
    }
    return random.nextInt(4) == 0 ? frame.fragment(1, 40, true) : frame;
  }

  /** Sometimes behind a hop-by-hop header, sometimes a later fragment. */
  private static FrameBuilder ipv6(int source, int protocol, Random random) {
    FrameBuilder frame =
        payload(
            FrameBuilder.ipv6().between("fd00::" + Integer.toHexString(source), "fd00::1"),
            protocol);
    return switch (random.nextInt(3)) {
      case 0 -> frame;
      case 1 -> frame.extension(IpProtocol.HOPOPT, 1, 4);
      default -> frame.fragment(77, 72, false);
    };
  }

  /** Sound for TCP too: a data offset of five words at byte 12. */
  private static FrameBuilder payload(FrameBuilder frame, int protocol) {
    byte[] bytes = new byte[PAYLOAD_BYTES];
    bytes[12] = 0x50;
    return frame.protocol(protocol).payload(bytes);
  }

  /** IPv4 and UDP, {@code length} bytes long. */
  static byte[] udp(int source, int length) {
    return udp4()
        .between("10.0.0." + source, "10.0.0.1")
        .payload(length - 14 - 20 - Udp.HEADER_BYTES)
        .toBytes();
  }
}
