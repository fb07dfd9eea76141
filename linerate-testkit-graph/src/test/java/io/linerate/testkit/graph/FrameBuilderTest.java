package io.linerate.testkit.graph;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.Packet;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.testkit.Packets;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;
import io.linerate.wire.Udp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of elements believe the builder, which writes by the views that elements use: so here
 * others look at what it writes.
 */
class FrameBuilderTest {
  private static final Path TCPDUMP = Path.of("/usr/bin/tcpdump");

  @TempDir Path folder;

  /** The frames in the file were joined byte by byte, with a checksum summed word by word. */
  @Test
  void shouldBuildTheFramesThatWereMadeWithoutViews() throws IOException {
    Map<String, String> recorded = new TreeMap<>();
    try (var file = FrameBuilderTest.class.getResourceAsStream("frames.txt")) {
      new String(file.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line.split(": "))
          .forEach(line -> recorded.put(line[0], line[1]));
    }
    Map<String, String> built = new TreeMap<>();
    FrameKinds.byName()
        .forEach((name, frame) -> built.put(name, HexFormat.of().formatHex(frame.toBytes())));
    assertThat(built).isEqualTo(recorded);
  }

  @Test
  void shouldWriteChecksumsThatTcpdumpFindsRight() throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(TCPDUMP), "skipped: needs " + TCPDUMP);
    List<FrameBuilder> frames = new ArrayList<>();
    for (int bytes = 0; bytes < 70; bytes++) {
      for (FrameBuilder frame :
          List.of(
              udp4(),
              udp6(),
              tcp4().options(2, 4, 5, 0xB4, 1),
              tcp6(),
              icmp4(),
              icmp6(),
              ipv4().options(1, 148, 4, 0, 0).udp(_ -> {}),
              ipv6().extension(IpProtocol.HOPOPT, 1, 4).udp(_ -> {}))) {
        frames.add(frame.payload(bytes));
      }
    }
    String said = tcpdump(frames);
    assertThat(said).doesNotContainPattern("(?i)bad|wrong|incorrect|invalid|truncated|\\[\\|");
    assertThat(said.split("udp sum ok", -1)).hasSize(1 + 4 * 70);
    assertThat(said.split("\\(correct\\)", -1)).hasSize(1 + 2 * 70);
    assertThat(said.split("icmp6 sum ok", -1)).hasSize(1 + 70);
    assertThat(tcpdump(List.of(udp4().udp(udp -> udp.checksum(1)))))
        .contains("bad udp cksum 0x0001");
    assertThat(tcpdump(List.of(icmp4().icmp(icmp -> icmp.checksum(1)))))
        .contains("wrong icmp cksum 1");
    assertThat(tcpdump(List.of(udp4().ipv4(ip -> ip.headerChecksum(1))))).contains("bad cksum 1");
  }

  private String tcpdump(List<FrameBuilder> frames) throws IOException, InterruptedException {
    Path file = folder.resolve("frames.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      frames.forEach(frame -> writer.write(frame.toPacket(packets)));
    }
    Process process =
        new ProcessBuilder(TCPDUMP.toString(), "-vvvnr", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void shouldChangeAHeaderThatIsThereAndLeaveTheOtherBuilderAlone() {
    FrameBuilder plain = udp4().payload(3);
    byte[] before = plain.toBytes();
    FrameBuilder changed = plain.udp(udp -> udp.length(9)).ipv4(ip -> ip.ttl(1)).ports(7, 8);
    try (Packets packets = new Packets()) {
      Packet packet = changed.toPacket(packets);
      assertThat(packet.length()).isEqualTo(before.length);
      assertThat(new Ipv4().wrap(packet, 14).ttl()).isEqualTo(1);
      Udp udp = new Udp().wrap(packet, 34);
      assertThat(udp.length()).isEqualTo(9);
      assertThat(udp.sourcePort()).isEqualTo(7);
    }
    assertThat(plain.toBytes()).isEqualTo(before);
  }

  @Test
  void shouldPutTagsBehindTheAddressesAndWhatNobodyCountsAtTheEnd() {
    byte[] frame = udp4().vlan(5).vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.vid(6)).toBytes();
    assertThat(HexFormat.of().formatHex(frame, 12, 22)).isEqualTo("88a80006810000050800");
    byte[] padded = udp4().padding(4).bytes(42, 1, 0xFF).toBytes();
    assertThat(padded).hasSize(46).startsWith(udp4().toBytes()).endsWith(1, 0xFF, 0, 0);
  }

  @Test
  void shouldPlaceOptionsAndSayWhatThePayloadIs() {
    try (Packets packets = new Packets()) {
      Packet packet = tcp6().options(2, 4, 0x05, 0xB4, 4, 2).payload(1).toPacket(packets);
      TcpOptions options = new TcpOptions().wrap(packet, 54);
      assertThat(options.maximumSegmentSize()).isEqualTo(1_460);
      assertThat(options.sackPermitted()).isTrue();
      assertThat(new Tcp().wrap(packet, 54).headerBytes()).isEqualTo(28);
      assertThat(packet.length()).isEqualTo(54 + 28 + 1);
      assertThat(ethernet(0x0842).toPacket(packets).u16(12)).isEqualTo(0x0842);
      assertThat(ipv4().protocol(IpProtocol.GRE).toPacket(packets).u8(23)).isEqualTo(47);
      assertThat(ipv6().toPacket(packets).u8(20)).isEqualTo(IpProtocol.IPV6_NONXT);
    }
  }

  @Test
  void shouldBuildTheLongestPacket() {
    byte[] frame = udp4().payload(65_507).toBytes();
    assertThat(frame).hasSize(14 + 0xFFFF).endsWith(FrameBuilder.numbers(65_507));
  }

  @Test
  void shouldReadAddressesOfEachKind() {
    assertThat(FrameBuilder.address("192.0.2.1")).containsExactly(192, 0, 2, 1);
    assertThat(FrameBuilder.address("02:00:00:00:00:0a")).containsExactly(2, 0, 0, 0, 0, 10);
    assertThat(FrameBuilder.address("2001:db8::11:22:33")).hasSize(16).startsWith(0x20, 1);
  }

  @Test
  void shouldRefuseHeadersThatCannotBeThere() {
    assertThatThrownBy(() -> ethernet().udp(_ -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no IP header: protocol=17; call ipv4 or ipv6 before");
    assertThatThrownBy(() -> udp6().options(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no header has options: call tcp or ipv4 before");
  }
}
