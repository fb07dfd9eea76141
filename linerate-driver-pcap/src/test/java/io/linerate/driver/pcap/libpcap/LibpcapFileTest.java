package io.linerate.driver.pcap.libpcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.libpcap.LibpcapLab.Received;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that libpcap reads, beside what {@code pcap:} reads of them. */
class LibpcapFileTest {
  private static final Path MIXED =
      Path.of("../examples/captures/mixed.pcapng").toAbsolutePath().normalize();

  @TempDir Path folder;
  private LibpcapLab lab;

  @BeforeEach
  void open() {
    LibpcapLab.assumeLibpcap();
    lab = new LibpcapLab();
  }

  @AfterEach
  void close() {
    if (lab != null) {
      lab.close();
    }
  }

  /** A pcap file of packets of these lengths, with times in µs or ns. */
  private Path file(int magic, int linkType, int... lengths) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(24 + Arrays.stream(lengths).map(it -> it + 16).sum())
            .order(ByteOrder.nativeOrder());
    bytes.putInt(magic).putInt(4 << 16 | 2).putLong(0).putInt(262_144).putInt(linkType);
    for (int i = 0; i < lengths.length; i++) {
      bytes.putInt(1_700_000_000 + i).putInt(123_456 + i);
      bytes.putInt(lengths[i]).putInt(lengths[i] + i);
      byte[] packet = new byte[lengths[i]];
      Arrays.fill(packet, (byte) (i + 1));
      bytes.put(packet);
    }
    return Files.write(folder.resolve("some, file.pcap"), bytes.array());
  }

  private static String escaped(Path file) {
    return file.toString().replace(",", "\\,");
  }

  private void assertReadsTheSame(Path file) {
    List<Received> theirs = lab.receiveAll(lab.open("libpcap:file=" + escaped(file)));
    List<Received> ours = lab.receiveAll(lab.open("pcap:rx=" + escaped(file)));
    assertThat(theirs).hasSameSizeAs(ours);
    assertThat(ours).isNotEmpty();
    for (int i = 0; i < ours.size(); i++) {
      assertThat(theirs.get(i).timestampNs()).isEqualTo(ours.get(i).timestampNs());
      assertThat(theirs.get(i).bytes()).isEqualTo(ours.get(i).bytes());
    }
  }

  @Test
  void shouldReadOfPcapngWhatPcapPortsRead() {
    assertReadsTheSame(MIXED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0xA1B2_C3D4, 0xA1B2_3C4D})
  void shouldReadOfPcapWhatPcapPortsRead(int magic) throws IOException {
    assertReadsTheSame(file(magic, 1, 60, 0, 1, 1_514, 2_048, 2_049, 9_000, 65_536, 262_144, 14));
  }

  @Test
  void shouldCountAndEndAsFilesDo() throws IOException {
    DriverPort port =
        lab.open("libpcap:file=" + escaped(file(0xA1B2_C3D4, 1, 60, 70)) + ",precision=micro");
    List<Received> received = lab.receiveAll(port);
    assertThat(received.getFirst().timestampNs()).isEqualTo(1_700_000_000_123_456_000L);
    assertThat(port.statistics().rxPackets()).isEqualTo(2);
    assertThat(port.statistics().rxBytes()).isEqualTo(130);
    assertThat(port.statistics().missed()).isZero();
    assertThat(port.statistics().extended()).containsEntry("rx_cut", 1L);
    assertThat(port.hasLink()).isFalse();
    assertThat(port.rxQueue(0).canWait()).isFalse();
    assertThat(port.txQueues()).isZero();
    assertThatThrownBy(() -> port.txQueue(0))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("port only reads a file: port=");
  }

  @Test
  void shouldFilterFiles() {
    DriverPort all = lab.open("libpcap:file=" + MIXED);
    DriverPort udp = lab.open("libpcap:file=" + MIXED + ",filter=ip and udp port 53");
    List<Received> expected =
        lab.receiveAll(all).stream().filter(it -> isDnsOverIpv4(it.bytes())).toList();
    List<Received> received = lab.receiveAll(udp);
    assertThat(received.stream().map(Received::timestampNs))
        .isEqualTo(expected.stream().map(Received::timestampNs).toList());
    assertThat(received).isNotEmpty();
  }

  private static boolean isDnsOverIpv4(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    if (frame.length < 38 || bytes.getChar(12) != 0x0800 || bytes.get(23) != 17) {
      return false;
    }
    int ports = 14 + (bytes.get(14) & 0xF) * 4;
    boolean isFirst = (bytes.getChar(20) & 0x1FFF) == 0;
    return isFirst && (bytes.getChar(ports) == 53 || bytes.getChar(ports + 2) == 53);
  }

  @Test
  void shouldGiveThePacketsBeforeTheDamageAndThenSayWhatLibpcapSays() throws IOException {
    Path file = file(0xA1B2_C3D4, 1, 60, 60, 60);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 10));
    DriverPort port = lab.open("libpcap:file=" + escaped(file));
    List<Received> received = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (!port.rxQueue(0).exhausted()) {
                lab.receiveSome(port.rxQueue(0), received);
              }
            })
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith(
            "capture file cannot be read on: file=" + file + ", libpcap says=truncated");
    assertThat(received).hasSize(2);
    assertThat(port.rxQueue(0).exhausted()).isTrue();
  }

  @Test
  void shouldSayWhatPacketsBeginWith() throws IOException {
    DriverPort port = lab.open("libpcap:file=" + escaped(file(0xA1B2_C3D4, 101, 60)));
    assertThat(port.linkTypes()).containsExactly(LinkType.RAW);
    MbufArray burst = new MbufArray(1);
    assertThat(port.rxQueue(0).receive(burst)).isEqualTo(1);
    assertThat(Mbuf.linkType(burst.handle(0))).isEqualTo(101);
    lab.engine.drivers().pools().free(burst.address(), 1);
  }

  @Test
  void shouldSayWhatIsWrongWithAFile() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no capture file, but long enough");
    assertThatThrownBy(() -> lab.open("libpcap:file=" + text))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("cannot read the capture file: file=" + text + ", libpcap says=");
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> lab.open("libpcap:file=" + none))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("No such file");
    assertThatThrownBy(() -> lab.open("libpcap:file=" + MIXED + ",filter=vlan foo"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("wrong filter: filter=vlan foo, file=" + MIXED);
  }

  @Test
  void shouldPassOverWhatIsLongerThanAllItsBuffers() throws IOException {
    Path file = file(0xA1B2_C3D4, 1, 60, 262_144, 60);
    try (Engine few = new Engine(EngineConfig.DEFAULT.withBuffers(64))) {
      DriverPort port = few.drivers().open("libpcap:file=" + escaped(file));
      int count = 0;
      while (!port.rxQueue(0).exhausted()) {
        MbufArray burst = new MbufArray(4);
        count += port.rxQueue(0).receive(burst);
        few.drivers().pools().free(burst.address(), burst.size());
      }
      assertThat(count).isEqualTo(2);
      assertThat(port.statistics().errors()).isEqualTo(1);
    }
  }
}
