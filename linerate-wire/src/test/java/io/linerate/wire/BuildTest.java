package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Builds packets over 0xA5 and compares them with the same packets made by another program. */
class BuildTest {
  private static final long SOURCE_MAC = MacAddress.parse("02:00:5e:00:53:01");
  private static final long DESTINATION_MAC = MacAddress.parse("02:00:5e:00:53:02");
  private static final int SOURCE4 = Ipv4Address.parse("192.0.2.10");
  private static final int DESTINATION4 = Ipv4Address.parse("198.51.100.20");
  private static final Ipv6Address SOURCE6 = Ipv6Address.parse("2001:db8::10");
  private static final Ipv6Address DESTINATION6 = Ipv6Address.parse("2001:db8:1::20");
  private static final byte[] PAYLOAD =
      "The quick brown fox jumps".getBytes(StandardCharsets.US_ASCII);

  private final Packets packets = new Packets();
  private final Ethernet ethernet = new Ethernet();
  private final Vlan vlan = new Vlan();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private byte[] expected;
  private Packet packet;

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  @BeforeEach
  void begin() {
    begin("tcp-plain");
  }

  private void begin(String name) {
    expected = Corpus.bytes(name);
    byte[] dirty = new byte[expected.length];
    Arrays.fill(dirty, (byte) 0xA5);
    packet = packets.of(dirty);
  }

  private void requireBuilt() {
    assertThat(packet.toBytes()).isEqualTo(expected);
  }

  private void ethernet(int etherType) {
    ethernet.wrap(packet, 0).destination(DESTINATION_MAC).source(SOURCE_MAC).etherType(etherType);
  }

  private void ipv4(int offset, int protocol) {
    ipv4.wrap(packet, offset)
        .version(4)
        .ihl(5)
        .dscp(0)
        .ecn(0)
        .totalLength(packet.length() - offset)
        .identification(0x1234)
        .clearFragmentation()
        .ttl(64)
        .protocol(protocol)
        .source(SOURCE4)
        .destination(DESTINATION4);
    InternetChecksum.writeIpv4Header(packet, offset);
  }

  private void ipv6(int offset, int nextHeader) {
    ipv6.wrap(packet, offset)
        .version(6)
        .trafficClass(0)
        .flowLabel(0)
        .payloadLength(packet.length() - offset - 40)
        .nextHeader(nextHeader)
        .hopLimit(64)
        .source(SOURCE6.high(), SOURCE6.low())
        .destination(DESTINATION6.high(), DESTINATION6.low());
  }

  private Tcp tcp(int offset, int dataOffset, int flags) {
    return new Tcp()
        .wrap(packet, offset)
        .sourcePort(40_000)
        .destinationPort(80)
        .sequenceNumber(0)
        .acknowledgmentNumber(0)
        .dataOffset(dataOffset)
        .flags(flags)
        .window(8192)
        .urgentPointer(0);
  }

  private void payload(int offset) {
    packet.set(offset, PAYLOAD, 0, PAYLOAD.length);
  }

  @Test
  void shouldBuildTcpOverIpv4() {
    ethernet(EtherType.IPV4);
    ipv4(14, IpProtocol.TCP);
    tcp(34, 5, Tcp.PSH | Tcp.ACK).sequenceNumber(1).acknowledgmentNumber(2).window(502);
    payload(54);
    InternetChecksum.writeTcp(packet, 14, 34, packet.length() - 34);
    requireBuilt();
  }

  @Test
  void shouldBuildTcpOverIpv6() {
    begin("ipv6-tcp");
    ethernet(EtherType.IPV6);
    ipv6(14, IpProtocol.TCP);
    ipv6.trafficClass(0xB8).flowLabel(0xABCDE);
    tcp(54, 5, Tcp.ACK);
    payload(74);
    InternetChecksum.writeTcp(packet, 14, 54, packet.length() - 54);
    requireBuilt();
  }

  @Test
  void shouldBuildUdpInAVlan() {
    begin("vlan-udp");
    ethernet(EtherType.VLAN);
    vlan.wrap(packet, 14).pcp(5).dei(false).vid(100).etherType(EtherType.IPV4);
    ipv4(18, IpProtocol.UDP);
    new Udp().wrap(packet, 38).sourcePort(68).destinationPort(67).length(packet.length() - 38);
    payload(46);
    InternetChecksum.writeUdp(packet, 18, 38, packet.length() - 38);
    requireBuilt();
  }

  @Test
  void shouldBuildTwoTags() {
    begin("qinq-ipv6-tcp");
    ethernet(EtherType.PROVIDER_BRIDGE);
    vlan.wrap(packet, 14).vid(200).dei(true).pcp(3).etherType(EtherType.VLAN);
    vlan.wrap(packet, 18).vid(4094).dei(false).pcp(0).etherType(EtherType.IPV6);
    ipv6(22, IpProtocol.TCP);
    tcp(62, 7, Tcp.SYN | Tcp.ACK).sourcePort(1).destinationPort(2);
    packet.i32(82, 0x0204_05A0);
    packet.i32(86, 0x0103_030E);
    InternetChecksum.writeTcp(packet, 22, 62, packet.length() - 62);
    requireBuilt();
  }

  @Test
  void shouldBuildAnEcho() {
    begin("icmp-echo");
    ethernet(EtherType.IPV4);
    ipv4(14, IpProtocol.ICMP);
    new Icmp().wrap(packet, 34).type(Icmp.ECHO).code(0).identifier(0x4242).sequenceNumber(7);
    payload(42);
    InternetChecksum.writeIcmp(packet, 34, packet.length() - 34);
    requireBuilt();
  }

  @Test
  void shouldBuildAnEchoOverIpv6() {
    begin("ipv6-echo");
    ethernet(EtherType.IPV6);
    ipv6(14, IpProtocol.ICMPV6);
    new Icmp()
        .wrap(packet, 54)
        .type(Icmpv6.ECHO_REQUEST)
        .code(0)
        .restOfHeader(0)
        .identifier(0x4242)
        .sequenceNumber(7);
    payload(62);
    InternetChecksum.writeIcmpv6(packet, 14, 54, packet.length() - 54);
    requireBuilt();
  }

  @Test
  void shouldBuildArp() {
    begin("vlan-arp");
    ethernet(EtherType.VLAN);
    vlan.wrap(packet, 14).pcp(0).dei(false).vid(7).etherType(EtherType.ARP);
    new Arp()
        .wrap(packet, 18)
        .ethernetIpv4()
        .operation(Arp.REPLY)
        .senderHardwareAddress(SOURCE_MAC)
        .senderProtocolAddress(Ipv4Address.parse("192.0.2.1"))
        .targetHardwareAddress(DESTINATION_MAC)
        .targetProtocolAddress(Ipv4Address.parse("192.0.2.2"));
    requireBuilt();
  }

  @Test
  void shouldBuildFragments() {
    begin("ipv6-first-fragment");
    ethernet(EtherType.IPV6);
    ipv6(14, IpProtocol.IPV6_FRAG);
    packet.u64(54, 0);
    new Ipv6Extension()
        .wrap(packet, 54, IpProtocol.IPV6_FRAG)
        .nextHeader(IpProtocol.UDP)
        .moreFragments(true)
        .fragmentOffset(0)
        .identification(0xCAFE_BABE);
    new Udp().wrap(packet, 62).sourcePort(1000).destinationPort(2000).length(60).checksum(0x1111);
    packet.set(70, "a".repeat(24).getBytes(StandardCharsets.US_ASCII), 0, 24);
    requireBuilt();

    begin("ipv4-later-fragment");
    ethernet(EtherType.IPV4);
    ipv4(14, IpProtocol.UDP);
    ipv4.fragmentOffset(4).moreFragments(false).dontFragment(false);
    InternetChecksum.writeIpv4Header(packet, 14);
    packet.set(34, "b".repeat(28).getBytes(StandardCharsets.US_ASCII), 0, 28);
    requireBuilt();
  }

  @Test
  void shouldChangeOneFieldOfAWordAndNoOther() {
    ipv4.wrap(packet, 14).dscp(0x2E);
    assertThat(ipv4.dscp()).isEqualTo(0x2E);
    assertThat(ipv4.ecn()).isEqualTo(0xA5 & 3);
    ipv4.ecn(2);
    assertThat(ipv4.dscp()).isEqualTo(0x2E);
    ipv4.version(4);
    assertThat(ipv4.ihl()).isEqualTo(5);
    ipv4.fragmentOffset(0x1ABC);
    assertThat(ipv4.dontFragment()).isFalse();
    assertThat(ipv4.moreFragments()).isTrue();
    ipv4.moreFragments(false).dontFragment(true);
    assertThat(ipv4.fragmentOffset()).isEqualTo(0x1ABC);
    ipv6.wrap(packet, 14).trafficClass(0xFF);
    assertThat(ipv6.version()).isEqualTo(4);
    assertThat(ipv6.trafficClass()).isEqualTo(0xFF);
    ipv6.flowLabel(0);
    assertThat(ipv6.trafficClass()).isEqualTo(0xFF);
    ipv6.version(6);
    assertThat(ipv6.flowLabel()).isZero();
    vlan.wrap(packet, 14).vid(0);
    // Version 6 and traffic class 0xFF began with 0x6FF0.
    assertThat(packet.u16(14)).isEqualTo(0x6000);
    vlan.dei(true).pcp(5);
    assertThat(packet.u16(14)).isEqualTo(0xB000);
  }

  @Test
  void shouldRefuseValuesThatDoNotFit() {
    ipv4.wrap(packet, 14);
    ipv6.wrap(packet, 14);
    requireRefused(() -> ipv4.ihl(16));
    requireRefused(() -> ipv4.version(-1));
    requireRefused(() -> ipv4.dscp(64));
    requireRefused(() -> ipv4.ecn(4));
    requireRefused(() -> ipv4.fragmentOffset(0x2000));
    requireRefused(() -> ipv4.ttl(256));
    requireRefused(() -> ipv4.totalLength(0x10000));
    requireRefused(() -> ipv6.flowLabel(0x100000));
    requireRefused(() -> ipv6.trafficClass(256));
    requireRefused(() -> ipv6.hopLimit(-1));
    requireRefused(() -> vlan.wrap(packet, 14).vid(4096));
    requireRefused(() -> vlan.pcp(8));
    requireRefused(() -> ethernet.wrap(packet, 0).source(1L << 48));
    requireRefused(() -> ethernet.destination(-1));
    requireRefused(() -> new Tcp().wrap(packet, 34).dataOffset(16));
    requireRefused(() -> new Tcp().wrap(packet, 34).sequenceNumber(1L << 32));
    requireRefused(() -> new Udp().wrap(packet, 34).sourcePort(65_536));
    assertThat(packet.toBytes()).containsOnly(0xA5);
  }

  private static void requireRefused(Runnable write) {
    assertThatIllegalArgumentException()
        .isThrownBy(write::run)
        .withMessageContaining("value does not fit the field");
  }
}
