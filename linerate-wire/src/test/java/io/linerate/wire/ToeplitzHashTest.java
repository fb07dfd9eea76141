package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of Microsoft's "Verifying the RSS Hash Calculation". */
final class ToeplitzHashTest {
  private static final int TCP = 6;

  private final ToeplitzHash usual = new ToeplitzHash(ToeplitzHash.USUAL_KEY);
  private final ToeplitzHash symmetric = new ToeplitzHash(ToeplitzHash.SYMMETRIC_KEY);
  private final FlowKey flow = new FlowKey();
  private final HeaderScanner scanner = new HeaderScanner();

  @ParameterizedTest
  @CsvSource({
    "161.142.100.80, 1766, 66.9.149.187, 2794, 323e8fc2, 51ccc178",
    "65.69.140.83, 4739, 199.92.111.2, 14230, d718262a, c626b0ea",
    "12.22.207.184, 38024, 24.19.198.95, 12898, d2d0a5de, 5c2b394a",
    "209.142.163.6, 2217, 38.27.205.30, 48228, 82989176, afc7327f",
    "202.188.127.2, 1303, 153.39.163.191, 44251, 5d1809c5, 10e828a2",
  })
  void shouldHashIpv4AsDevicesDo(
      String destination,
      int destinationPort,
      String source,
      int sourcePort,
      String addresses,
      String ports) {
    int from = Ipv4Address.parse(source);
    int to = Ipv4Address.parse(destination);
    assertThat(usual.ofIpv4(from, to)).isEqualTo(hex(addresses));
    assertThat(usual.ofIpv4(from, to, sourcePort, destinationPort)).isEqualTo(hex(ports));
    byte[] there = tcpOverIpv4(from, to, sourcePort, destinationPort);
    byte[] back = tcpOverIpv4(to, from, destinationPort, sourcePort);
    assertThat(of(usual, there)).isEqualTo(hex(ports)).isNotEqualTo(of(usual, back));
    assertThat(of(symmetric, there)).isEqualTo(of(symmetric, back)).isNotZero();
  }

  @ParameterizedTest
  @CsvSource({
    "3ffe:2501:200:3::1, 1766, 3ffe:2501:200:1fff::7, 2794, 2cc18cd5, 40207d3d",
    "ff02::1, 4739, 3ffe:501:8::260:97ff:fe40:efab, 14230, 0f0c461c, dde51bbf",
    "fe80::200:f8ff:fe21:67cf, 38024, 3ffe:1900:4545:3:200:f8ff:fe21:67cf, 44251, 4b61e985,"
        + " 02d1feef",
  })
  void shouldHashIpv6AsDevicesDo(
      String destination,
      int destinationPort,
      String source,
      int sourcePort,
      String addresses,
      String ports) {
    Ipv6Address from = Ipv6Address.parse(source);
    Ipv6Address to = Ipv6Address.parse(destination);
    assertThat(usual.ofIpv6(from.high(), from.low(), to.high(), to.low()))
        .isEqualTo(hex(addresses));
    byte[] there = tcpOverIpv6(from, to, sourcePort, destinationPort);
    byte[] back = tcpOverIpv6(to, from, destinationPort, sourcePort);
    assertThat(of(usual, there)).isEqualTo(hex(ports)).isNotEqualTo(of(usual, back));
    assertThat(of(symmetric, there)).isEqualTo(of(symmetric, back)).isNotZero();
  }

  @Test
  void shouldNotHashWhatIsNotIpNorTakeAShortKey() {
    assertThat(of(usual, new byte[60])).isZero();
    assertThatThrownBy(() -> new ToeplitzHash("6d5a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("bytes=2", "40");
  }

  private int of(ToeplitzHash hash, byte[] frame) {
    try (Packets packets = new Packets()) {
      Packet packet = packets.of(frame);
      scanner.scan(packet);
      flow.read(packet, scanner);
      return hash.of(flow);
    }
  }

  private static int hex(String digits) {
    return Integer.parseUnsignedInt(digits, 16);
  }

  private static byte[] tcpOverIpv4(int from, int to, int sourcePort, int destinationPort) {
    ByteBuffer frame = ByteBuffer.allocate(54);
    frame.putShort(12, (short) EtherType.IPV4).put(14, (byte) 0x45).putShort(16, (short) 40);
    frame.put(22, (byte) 64).put(23, (byte) TCP).putInt(26, from).putInt(30, to);
    return tcp(frame, 34, sourcePort, destinationPort);
  }

  private static byte[] tcpOverIpv6(
      Ipv6Address from, Ipv6Address to, int sourcePort, int destinationPort) {
    ByteBuffer frame = ByteBuffer.allocate(74);
    frame.putShort(12, (short) EtherType.IPV6).put(14, (byte) 0x60).putShort(18, (short) 20);
    frame.put(20, (byte) TCP).put(21, (byte) 64);
    frame.putLong(22, from.high()).putLong(30, from.low());
    frame.putLong(38, to.high()).putLong(46, to.low());
    return tcp(frame, 54, sourcePort, destinationPort);
  }

  @SuppressWarnings("ByteBufferBackingArray") // Allocated here.
  private static byte[] tcp(ByteBuffer frame, int at, int sourcePort, int destinationPort) {
    frame.putShort(at, (short) sourcePort).putShort(at + 2, (short) destinationPort);
    frame.put(at + 12, (byte) 0x50);
    return frame.array();
  }
}
