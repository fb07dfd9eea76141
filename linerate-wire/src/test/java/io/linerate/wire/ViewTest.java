package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads real packets; the values expected of recorded ones are those that tshark shows. */
class ViewTest {
  private final Packets packets = new Packets();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  static List<Corpus.Sample> samples() {
    return Corpus.samples();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldFitOrNotAtEveryLengthAndThenReadInside(Corpus.Sample sample) {
    EveryView views = new EveryView();
    byte[] bytes = sample.bytes();
    for (int length = 0; length <= bytes.length; length++) {
      Packet packet = packets.of(Arrays.copyOf(bytes, length));
      for (int offset = -1; offset <= length + 1; offset++) {
        // Throws if a view that fits reads outside the packet.
        views.ofThoseThatFit(packet, offset);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldReadTheSameWhereverThePacketIsSplit(Corpus.Sample sample) {
    EveryLayer layers = new EveryLayer();
    byte[] bytes = sample.bytes();
    long whole = layers.digest(packets.of(bytes));
    for (int first = 0; first <= bytes.length; first++) {
      assertThat(layers.digest(packets.ofSegments(bytes, first, bytes.length - first)))
          .as("split at %d", first)
          .isEqualTo(whole);
    }
  }

  @Test
  void shouldNotFitWhereAHeaderIsCutOff() {
    requireShortest("tcp-plain", 0, Ethernet.HEADER_BYTES, Ethernet::fits);
    requireShortest("vlan-udp", 14, Vlan.HEADER_BYTES, Vlan::fits);
    requireShortest("recorded-arp", 14, Arp.HEADER_BYTES, Arp::fits);
    requireShortest("tcp-plain", 14, 20, Ipv4::fits);
    requireShortest("ipv4-router-alert-60-bytes", 14, 60, Ipv4::fits);
    requireShortest("ipv6-tcp", 14, 40, Ipv6::fits);
    requireShortest("ipv6-chain", 54, 8, (p, at) -> Ipv6Extension.fits(p, at, 0));
    requireShortest("ipv6-chain", 62, 16, (p, at) -> Ipv6Extension.fits(p, at, 60));
    requireShortest("ipv6-ah", 54, 24, (p, at) -> Ipv6Extension.fits(p, at, 51));
    requireShortest("tcp-plain", 34, 20, Tcp::fits);
    requireShortest("tcp-options", 34, 40, Tcp::fits);
    requireShortest("udp-plain", 34, 8, Udp::fits);
    requireShortest("icmp-echo", 34, 8, Icmp::fits);
    requireShortest("ipv6-echo", 54, 8, Icmp::fits);
  }

  /** The length gate of a view. */
  private interface Gate {
    boolean fits(Packet packet, int offset);
  }

  private void requireShortest(String name, int offset, int headerBytes, Gate gate) {
    byte[] bytes = Corpus.bytes(name);
    for (int length = 0; length <= bytes.length; length++) {
      Packet packet = packets.of(Arrays.copyOf(bytes, length));
      assertThat(gate.fits(packet, offset))
          .as("%s at %d, length %d", name, offset, length)
          .isEqualTo(length >= offset + headerBytes);
      for (int nowhere : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, length + 1}) {
        assertThat(gate.fits(packet, nowhere)).isFalse();
      }
    }
  }

  @Test
  void shouldNotFitWhatIsNotThatHeader() {
    Packet packet = packets.of(Corpus.bytes("tcp-plain"));
    assertThat(Ipv6.fits(packet, 14)).isFalse();
    assertThat(Arp.fits(packet, 14)).isFalse();
    new Ipv4().wrap(packet, 14).ihl(4);
    assertThat(Ipv4.fits(packet, 14)).isFalse();
    new Tcp().wrap(packet, 34).dataOffset(4);
    assertThat(Tcp.fits(packet, 34)).isFalse();
    assertThat(Ipv4.fits(packets.of(Corpus.bytes("ipv6-tcp")), 14)).isFalse();
    assertThat(Ipv6Extension.fits(packets.of(Corpus.bytes("ipv6-tcp")), 54, 6)).isFalse();
  }

  @Test
  void shouldThrowWhenNobodyAskedWhetherItFits() {
    Packet packet = packets.of(new byte[33]);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> new Ipv4().wrap(packet, 14).destination())
        .withMessageContaining("offset=30, size=4, length=33");
  }

  @Test
  void shouldReadEthernetAndArp() {
    Packet packet = packets.of(Corpus.bytes("recorded-arp"));
    Ethernet ethernet = new Ethernet().wrap(packet, 0);
    assertThat(ethernet.destination()).isEqualTo(MacAddress.BROADCAST);
    assertThat(MacAddress.format(ethernet.source())).isEqualTo("02:00:0a:01:00:01");
    assertThat(ethernet.etherType()).isEqualTo(EtherType.ARP);
    Arp arp = new Arp().wrap(packet, ethernet.payloadOffset());
    assertThat(arp.operation()).isEqualTo(Arp.REQUEST);
    assertThat(arp.senderHardwareAddress()).isEqualTo(ethernet.source());
    assertThat(Ipv4Address.format(arp.senderProtocolAddress())).isEqualTo("10.1.0.1");
    assertThat(arp.targetHardwareAddress()).isZero();
    assertThat(Ipv4Address.format(arp.targetProtocolAddress())).isEqualTo("10.1.0.1");
  }

  @Test
  void shouldReadTags() {
    Packet packet = packets.of(Corpus.bytes("qinq-ipv6-tcp"));
    Vlan vlan = new Vlan().wrap(packet, 14);
    assertThat(vlan.pcp()).isEqualTo(3);
    assertThat(vlan.dei()).isTrue();
    assertThat(vlan.vid()).isEqualTo(200);
    assertThat(vlan.etherType()).isEqualTo(EtherType.VLAN);
    vlan.wrap(packet, vlan.payloadOffset());
    assertThat(vlan.vid()).isEqualTo(4094);
    assertThat(vlan.etherType()).isEqualTo(EtherType.IPV6);
  }

  @Test
  void shouldReadARecordedSyn() {
    Packet packet = packets.of(Corpus.bytes("recorded-tcp-syn"));
    Ipv4 ipv4 = new Ipv4().wrap(packet, 14);
    assertThat(Ipv4Address.format(ipv4.source())).isEqualTo("10.1.0.10");
    assertThat(Ipv4Address.format(ipv4.destination())).isEqualTo("10.1.0.1");
    assertThat(ipv4.version()).isEqualTo(4);
    assertThat(ipv4.headerBytes()).isEqualTo(20);
    assertThat(ipv4.totalLength()).isEqualTo(60);
    assertThat(ipv4.payloadBytes()).isEqualTo(40);
    assertThat(ipv4.identification()).isEqualTo(0xC649);
    assertThat(ipv4.dontFragment()).isTrue();
    assertThat(ipv4.isFragment()).isFalse();
    assertThat(ipv4.ttl()).isEqualTo(64);
    assertThat(ipv4.protocol()).isEqualTo(IpProtocol.TCP);
    assertThat(ipv4.headerChecksum()).isEqualTo(0x6066);
    assertThat(ipv4.firstOption()).isEqualTo(-1);
    Tcp tcp = new Tcp().wrap(packet, ipv4.payloadOffset());
    assertThat(tcp.sourcePort()).isEqualTo(47_256);
    assertThat(tcp.destinationPort()).isEqualTo(80);
    assertThat(tcp.sequenceNumber()).isEqualTo(2_941_133_114L);
    assertThat(tcp.acknowledgmentNumber()).isZero();
    assertThat(tcp.headerBytes()).isEqualTo(40);
    assertThat(tcp.flags()).isEqualTo(Tcp.SYN);
    assertThat(tcp.window()).isEqualTo(64_240);
    assertThat(tcp.checksum()).isEqualTo(0x1956);
    TcpOptions options = new TcpOptions().wrap(packet, 34);
    assertThat(options.maximumSegmentSize()).isEqualTo(1460);
    assertThat(options.windowScale()).isEqualTo(10);
    assertThat(options.sackPermitted()).isTrue();
    assertThat(options.timestampValue()).isEqualTo(2_442_921_116L);
    assertThat(options.timestampEchoReply()).isZero();
    assertThat(options.sackBlocks()).isZero();
  }

  @Test
  void shouldReadARecordedSynAckOverIpv6() {
    Packet packet = packets.of(Corpus.bytes("recorded-tcp-synack-ipv6"));
    Ipv6 ipv6 = new Ipv6().wrap(packet, 14);
    assertThat(new Ipv6Address(ipv6.sourceHigh(), ipv6.sourceLow())).hasToString("fd00:1::1");
    assertThat(new Ipv6Address(ipv6.destinationHigh(), ipv6.destinationLow()))
        .hasToString("fd00:1::10");
    assertThat(ipv6.flowLabel()).isEqualTo(0x3CB09);
    assertThat(ipv6.trafficClass()).isZero();
    assertThat(ipv6.payloadLength()).isEqualTo(40);
    assertThat(ipv6.payloadBytes()).isEqualTo(40);
    assertThat(ipv6.nextHeader()).isEqualTo(IpProtocol.TCP);
    Tcp tcp = new Tcp().wrap(packet, ipv6.payloadOffset());
    assertThat(tcp.sequenceNumber()).isEqualTo(1_513_537_475L);
    assertThat(tcp.acknowledgmentNumber()).isEqualTo(825_375_185L);
    assertThat(tcp.has(Tcp.SYN | Tcp.ACK)).isTrue();
    assertThat(tcp.has(Tcp.SYN | Tcp.RST)).isFalse();
    assertThat(tcp.checksum()).isEqualTo(0x3410);
    TcpOptions options = new TcpOptions().wrap(packet, 54);
    assertThat(options.timestampValue()).isEqualTo(1_566_754_829L);
    assertThat(options.timestampEchoReply()).isEqualTo(3_910_141_355L);
  }

  @Test
  void shouldReadSelectiveAcknowledgments() {
    Packet packet = packets.of(Corpus.bytes("tcp-sack"));
    TcpOptions options = new TcpOptions().wrap(packet, 34);
    assertThat(options.sackBlocks()).isEqualTo(2);
    assertThat(options.sackLeftEdge(0)).isEqualTo(1000);
    assertThat(options.sackRightEdge(0)).isEqualTo(2000);
    assertThat(options.sackLeftEdge(1)).isEqualTo(0xFFFF_FF00L);
    assertThat(options.sackRightEdge(1)).isEqualTo(0x100);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> options.sackLeftEdge(2));
    assertThat(options.maximumSegmentSize()).isEqualTo(-1);
    assertThat(options.windowScale()).isEqualTo(-1);
    // What one packet had, the next one has not.
    options.wrap(packets.of(Corpus.bytes("tcp-plain")), 34);
    assertThat(options.sackBlocks()).isZero();
    assertThat(options.hasTimestamps()).isFalse();
    assertThat(options.timestampValue()).isEqualTo(-1);
  }

  @Test
  void shouldWalkTheOptionsOfIpv4() {
    Packet packet = packets.of(Corpus.bytes("ipv4-router-alert-60-bytes"));
    Ipv4 ipv4 = new Ipv4().wrap(packet, 14);
    int alert = ipv4.firstOption();
    assertThat(alert).isEqualTo(34);
    assertThat(ipv4.optionType(alert)).isEqualTo(148);
    assertThat(ipv4.optionLength(alert)).isEqualTo(4);
    int timestamp = ipv4.nextOption(alert);
    assertThat(timestamp).isEqualTo(38);
    assertThat(ipv4.optionType(timestamp)).isEqualTo(68);
    assertThat(ipv4.optionLength(timestamp)).isEqualTo(36);
    assertThat(ipv4.nextOption(timestamp)).isEqualTo(-1);
    assertThat(ipv4.findOption(68)).isEqualTo(timestamp);
    assertThat(ipv4.findOption(7)).isEqualTo(-1);
    assertThat(ipv4.optionsIntact()).isTrue();
  }

  @Test
  void shouldEndTheWalkAtABrokenOption() {
    for (int length : new int[] {0, 1, 37, 255}) {
      Packet packet = packets.of(Corpus.bytes("ipv4-router-alert-60-bytes"));
      packet.u8(39, length);
      Ipv4 ipv4 = new Ipv4().wrap(packet, 14);
      assertThat(ipv4.nextOption(ipv4.firstOption())).isEqualTo(-1);
      assertThat(ipv4.findOption(68)).isEqualTo(-1);
      assertThat(ipv4.optionsIntact()).isFalse();
    }
  }

  @Test
  void shouldWalkTheExtensionHeaders() {
    Packet packet = packets.of(Corpus.bytes("ipv6-chain"));
    Ipv6Extension extension = new Ipv6Extension();
    int[] types = {0, 60, 43, 60};
    int[] ends = {62, 78, 102, 110};
    int at = 0;
    for (boolean more = extension.first(packet, 14); more; more = extension.next()) {
      assertThat(extension.type()).isEqualTo(types[at]);
      assertThat(extension.payloadOffset()).isEqualTo(ends[at]);
      at++;
    }
    assertThat(at).isEqualTo(4);
    assertThat(extension.nextHeader()).isEqualTo(IpProtocol.TCP);
    assertThat(extension.first(packets.of(Corpus.bytes("ipv6-tcp")), 14)).isFalse();
  }

  @Test
  void shouldReadFragmentHeaders() {
    Packet packet = packets.of(Corpus.bytes("ipv6-later-fragment-of-options"));
    Ipv6Extension extension = new Ipv6Extension();
    assertThat(extension.first(packet, 14)).isTrue();
    assertThat(extension.isLaterFragment()).isTrue();
    assertThat(extension.fragmentOffset()).isEqualTo(4);
    assertThat(extension.moreFragments()).isFalse();
    assertThat(extension.identification()).isEqualTo(0xCAFE_BABE);
    assertThat(extension.nextHeader()).isEqualTo(IpProtocol.IPV6_OPTS);
    assertThat(extension.next()).isFalse();
  }

  @Test
  void shouldReadUdpAndNotBelieveItsLength() {
    Packet packet = packets.of(Corpus.bytes("udp-padded"));
    Udp udp = new Udp().wrap(packet, 34);
    assertThat(udp.sourcePort()).isEqualTo(1);
    assertThat(udp.destinationPort()).isEqualTo(2);
    assertThat(udp.length()).isEqualTo(9);
    assertThat(udp.payloadBytes()).isEqualTo(1);
    assertThat(udp.checksum()).isEqualTo(0x9B86);
    assertThat(udp.length(3).payloadBytes()).isZero();
    assertThat(udp.length(0xFFFF).payloadBytes()).isEqualTo(packet.length() - 42);
    Ipv4 ipv4 = new Ipv4().wrap(packet, 14);
    assertThat(ipv4.payloadBytes()).isEqualTo(9);
    assertThat(ipv4.totalLength(5).payloadBytes()).isZero();
    assertThat(ipv4.totalLength(0xFFFF).payloadBytes()).isEqualTo(packet.length() - 34);
  }

  @Test
  void shouldReadIcmp() {
    Packet packet = packets.of(Corpus.bytes("icmp-unreachable"));
    Icmp icmp = new Icmp().wrap(packet, 34);
    assertThat(icmp.type()).isEqualTo(Icmp.DESTINATION_UNREACHABLE);
    assertThat(icmp.code()).isEqualTo(3);
    assertThat(icmp.restOfHeader()).isZero();
    assertThat(Icmp.isError(icmp.type())).isTrue();
    assertThat(Ipv4.fits(packet, icmp.payloadOffset())).isTrue();
    assertThat(Icmp.isError(Icmp.ECHO)).isFalse();
    icmp.wrap(packets.of(Corpus.bytes("icmp-echo")), 34);
    assertThat(icmp.identifier()).isEqualTo(0x4242);
    assertThat(icmp.sequenceNumber()).isEqualTo(7);
  }

  @Test
  void shouldReadIcmpv6() {
    Packet packet = packets.of(Corpus.bytes("recorded-neighbor-solicitation"));
    Icmp icmpv6 = new Icmp().wrap(packet, 54);
    assertThat(icmpv6.type()).isEqualTo(Icmpv6.NEIGHBOR_SOLICITATION);
    assertThat(icmpv6.code()).isZero();
    assertThat(Icmpv6.isError(icmpv6.type())).isFalse();
    assertThat(Icmpv6.isError(Icmpv6.PACKET_TOO_BIG)).isTrue();
  }
}
