package io.linerate.wire;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.FrameBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With frames of {@link FrameBuilder}, which knows this package. */
class CarriedPacketTest {
  private static final int INNER_PORT = 4_711;

  private final HeaderScanner scanner = new HeaderScanner();
  private final CarriedPacket carried = new CarriedPacket();

  private static byte[] ip(FrameBuilder frame) {
    byte[] bytes = frame.toBytes();
    return Arrays.copyOfRange(bytes, 14, bytes.length);
  }

  private static byte[] bytes(int... values) {
    byte[] result = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = (byte) values[i];
    }
    return result;
  }

  private static List<FrameBuilder> carriers(FrameBuilder inner4, FrameBuilder inner6) {
    byte[] four = ip(inner4);
    byte[] six = ip(inner6);
    byte[] frame = inner4.vlan(7).toBytes();
    return List.of(
        ipv4().protocol(IpProtocol.IPIP).payload(four),
        ipv4().options(1, 1, 1, 1).protocol(IpProtocol.IPV6).payload(six),
        ipv6().protocol(IpProtocol.IPV6).payload(six),
        ipv6().extension(IpProtocol.HOPOPT, 1, 4).protocol(IpProtocol.IPIP).payload(four),
        ipv4().protocol(IpProtocol.GRE).payload(bytes(0, 0, 8, 0), four),
        ipv4().protocol(IpProtocol.GRE).payload(bytes(0, 0, 0x86, 0xDD), six),
        ipv4()
            .protocol(IpProtocol.GRE)
            .payload(bytes(0xB0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2), four),
        ipv6().protocol(IpProtocol.GRE).payload(bytes(0x20, 0, 0x65, 0x58, 0, 0, 0, 1), frame),
        udp4().ports(1, 4_789).payload(bytes(8, 0, 0, 0, 0, 0, 9, 0), frame),
        udp6().ports(1, 6_081).payload(bytes(2, 0, 0x65, 0x58, 0, 0, 9, 0), new byte[8], frame),
        udp4().ports(1, 6_081).payload(bytes(0, 0, 8, 0, 0, 0, 9, 0), four),
        udp4().ports(3_544, 1).payload(six),
        udp4().ports(1, 3_544).payload(bytes(0, 0, 1, 2, 3, 4, 5, 6), six),
        udp4()
            .ports(1, 3_544)
            .payload(bytes(0, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), six),
        ethernet(EtherType.PPPOE_SESSION)
            .payload(bytes(0x11, 0, 0, 7, 0, four.length + 2, 0, 0x21), four),
        ethernet(EtherType.PPPOE_SESSION)
            .vlan(5)
            .payload(bytes(0x11, 0, 0, 7, 0, six.length + 2, 0, 0x57), six),
        ethernet(EtherType.MPLS).payload(bytes(0, 1, 0, 64, 0, 2, 1, 64), six),
        ethernet(8 + four.length).payload(bytes(0xAA, 0xAA, 3, 0, 0, 0, 8, 0), four),
        inner4.vlan(1).vlan(2).vlan(3));
  }

  /** Finds what is inside, as often as there is something; the ports there. */
  private int innermostPort(Packet packet) {
    scanner.scan(packet);
    for (int depth = 0; depth < 8 && carried.find(packet, scanner); depth++) {
      assertThat(carried.offset()).isBetween(14, packet.length());
      scanner.scan(packet, carried.etherType(), carried.offset());
    }
    boolean isUdp = scanner.ipProtocol() == IpProtocol.UDP && scanner.l4Fits();
    return isUdp ? packet.u16(scanner.l4Offset() + 2) : -1;
  }

  @Test
  void shouldFindThePacketInEachKindOfTunnel() {
    FrameBuilder inner4 = udp4().ports(1, INNER_PORT).payload(9);
    FrameBuilder inner6 = udp6().ports(1, INNER_PORT).payload(9);
    try (Packets packets = new Packets(64)) {
      for (FrameBuilder carrier : carriers(inner4, inner6)) {
        assertThat(innermostPort(carrier.toPacket(packets))).isEqualTo(INNER_PORT);
        FrameBuilder nested = ipv6().protocol(IpProtocol.IPIP).payload(ip(carrier));
        if (scanner.ipVersion() == 4 && carrier.toBytes()[14] == 0x45) {
          assertThat(innermostPort(nested.toPacket(packets))).isEqualTo(INNER_PORT);
        }
      }
    }
  }

  @Test
  void shouldFindNothingInWhatCarriesNothingThatIsKnown() {
    byte[] inner = ip(udp4().payload(9));
    List<FrameBuilder> others =
        List.of(
            udp4().payload(9),
            ipv4().protocol(IpProtocol.ESP).payload(inner),
            ipv4().protocol(IpProtocol.IPIP).fragment(1, 0, true).payload(inner),
            ipv4().protocol(IpProtocol.GRE).payload(bytes(0x40, 0, 8, 0, 0, 0, 0, 0), inner),
            ipv4().protocol(IpProtocol.GRE).payload(bytes(0, 1, 0x88, 0x0B), inner),
            udp4().ports(1, 4_789).payload(bytes(0, 0, 0, 0, 0, 0, 9, 0), new byte[60]),
            udp4().ports(1, 6_081).payload(bytes(0x40, 0, 8, 0, 0, 0, 9, 0), inner),
            udp4().ports(1, 3_544).payload(inner),
            ethernet(EtherType.PPPOE_SESSION).payload(bytes(0x11, 0, 0, 7, 0, 4, 0xC0, 0x21)),
            ethernet(EtherType.MPLS).payload(bytes(0, 1, 0, 64), new byte[100]),
            ethernet(40).payload(bytes(0x42, 0x42, 3), new byte[37]));
    try (Packets packets = new Packets(64)) {
      for (FrameBuilder other : others) {
        Packet packet = other.toPacket(packets);
        scanner.scan(packet);
        assertThat(carried.find(packet, scanner)).isFalse();
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldThrowForNoContentWhatever() {
    List<FrameBuilder> carriers =
        carriers(udp4().ports(1, INNER_PORT).payload(9), udp6().ports(1, INNER_PORT).payload(9));
    SplittableRandom random = new SplittableRandom(Soak.seed(7));
    int found = 0;
    for (int i = Soak.times(20_000, 5_000_000); i > 0; i--) {
      byte[] frame = carriers.get(random.nextInt(carriers.size())).toBytes();
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
      }
      try (Packets packets = new Packets(1)) {
        Packet packet = packets.of(Arrays.copyOf(frame, 1 + random.nextInt(frame.length)));
        found += innermostPort(packet) >= 0 ? 1 : 0;
      }
    }
    assertThat(found).isPositive();
  }
}
