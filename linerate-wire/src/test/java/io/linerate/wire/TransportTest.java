package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportTest {
  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();
  private final Transport transport = new Transport();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  @Test
  void shouldReadTheFieldsOfTcp() {
    for (String name : new String[] {"tcp-sack", "recorded-qinq-tcp", "ipv6-chain"}) {
      Packet packet = packets.of(Corpus.bytes(name));
      scanner.scan(packet);
      Tcp tcp = new Tcp().wrap(packet, scanner.l4Offset());
      transport.wrap(packet, scanner);
      assertThat(transport.protocol()).isEqualTo(IpProtocol.TCP);
      assertThat(transport.sourcePort()).isEqualTo(tcp.sourcePort());
      assertThat(transport.destinationPort()).isEqualTo(tcp.destinationPort());
      assertThat(transport.checksum()).isEqualTo(tcp.checksum());
      assertThat(transport.payloadOffset()).isEqualTo(tcp.payloadOffset());
    }
  }

  @Test
  void shouldReadTheFieldsOfUdp() {
    for (String name : new String[] {"udp-plain", "vlan-udp", "ipv6-first-fragment"}) {
      Packet packet = packets.of(Corpus.bytes(name));
      scanner.scan(packet);
      Udp udp = new Udp().wrap(packet, scanner.l4Offset());
      transport.wrap(packet, scanner);
      assertThat(transport.protocol()).isEqualTo(IpProtocol.UDP);
      assertThat(transport.sourcePort()).isEqualTo(udp.sourcePort());
      assertThat(transport.destinationPort()).isEqualTo(udp.destinationPort());
      assertThat(transport.checksum()).isEqualTo(udp.checksum());
      assertThat(transport.payloadOffset()).isEqualTo(udp.payloadOffset());
    }
  }

  @Test
  void shouldWriteTheFieldsOfBoth() {
    Packet packet = packets.of(Corpus.bytes("tcp-options"));
    transport.wrap(packet, 34, IpProtocol.TCP);
    transport.sourcePort(1).destinationPort(0xFFFE).checksum(0xABCD);
    byte[] written = packet.toBytes();
    packet = packets.of(Corpus.bytes("tcp-options"));
    new Tcp().wrap(packet, 34).sourcePort(1).destinationPort(0xFFFE).checksum(0xABCD);
    assertThat(written).isEqualTo(packet.toBytes());

    packet = packets.of(Corpus.bytes("udp-plain"));
    transport.wrap(packet, 34, IpProtocol.UDP);
    transport.sourcePort(2).destinationPort(0xFFFD).checksum(0xBCDE);
    written = packet.toBytes();
    packet = packets.of(Corpus.bytes("udp-plain"));
    new Udp().wrap(packet, 34).sourcePort(2).destinationPort(0xFFFD).checksum(0xBCDE);
    assertThat(written).isEqualTo(packet.toBytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"icmp-echo", "sctp", "gre", "ipv4-later-fragment", "recorded-arp", "mpls"})
  void shouldFitTcpAndUdpOnly(String name) {
    Packet packet = packets.of(Corpus.bytes(name));
    scanner.scan(packet);
    assertThat(Transport.fits(scanner)).isFalse();
    assertThat(Transport.fits(packet, 34, IpProtocol.SCTP)).isFalse();
  }

  @Test
  void shouldFitWhereItsHeaderIsWhole() {
    byte[] bytes = Corpus.bytes("tcp-options");
    Packet packet = packets.of(bytes);
    scanner.scan(packet);
    assertThat(Transport.fits(scanner)).isTrue();
    assertThat(Transport.fits(packet, 34, IpProtocol.TCP)).isTrue();
    packet.shrinkTail(bytes.length - 34 - Tcp.HEADER_BYTES);
    scanner.scan(packet);
    assertThat(Transport.fits(scanner)).isFalse();
    assertThat(Transport.fits(packet, 34, IpProtocol.TCP)).isFalse();
    assertThat(Transport.fits(packet, 34, IpProtocol.UDP)).isTrue();
  }
}
