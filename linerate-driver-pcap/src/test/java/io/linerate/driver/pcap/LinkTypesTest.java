package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import io.linerate.driver.pcap.PortHarness.Received;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkTypesTest {
  @TempDir Path directory;

  private Path file(String name, CaptureBuilder builder) throws IOException {
    return Files.write(directory.resolve(name), builder.build());
  }

  private static CaptureBuilder pcap(int linkType) {
    return new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
        .pcapHeader(PcapFormat.MICROSECONDS_MAGIC, 0, linkType);
  }

  private static CaptureBuilder pcapng(int... linkTypes) {
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.BIG_ENDIAN).section();
    for (int linkType : linkTypes) {
      builder.networkInterface(linkType, 0);
    }
    return builder;
  }

  /** Link types of the packets that an address gives, with their lengths. */
  private static List<String> received(PortHarness harness, DriverPort port) {
    List<String> all = new ArrayList<>();
    harness.receiveAll(port, packet -> all.add(packet.linkType().name() + " " + packet.length()));
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "1, ETHERNET",
    "101, RAW",
    "12, RAW",
    "14, RAW",
    "127, IEEE802_11_RADIOTAP",
    "276, LINUX_SLL2",
    "300, LINKTYPE_300",
    "50000, LINKTYPE_50000"
  })
  void shouldReadPacketsOfAnyType(int number, String name) throws IOException {
    Path inPcap = file("in.pcap", pcap(number).pcapRecord(1, 2, 60, frame(0, 60)));
    Path inPcapng = file("in.pcapng", pcapng(number).enhanced(0, 1, 61, frame(0, 61)));
    try (PortHarness harness = new PortHarness()) {
      DriverPort first = harness.reading(inPcap);
      assertThat(LinkType.text(first.linkTypes())).isEqualTo(name);
      assertThat(received(harness, first)).containsExactly(name + " 60");
      assertThat(received(harness, harness.reading(inPcapng))).containsExactly(name + " 61");
    }
  }

  @Test
  void shouldGiveEachPacketTheTypeOfItsInterface() throws IOException {
    CaptureBuilder b = pcapng(113, 1, 101);
    b.enhanced(0, 1, 60, frame(0, 60)).enhanced(1, 2, 61, frame(1, 61));
    b.simple(62, frame(2, 62)).enhanced(2, 1, 63, frame(3, 63));
    Path file = file("in.pcapng", b);
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      assertThat(LinkType.text(port.linkTypes())).isEqualTo("ETHERNET, RAW, LINUX_SLL");
      assertThat(received(harness, port))
          .containsExactly("LINUX_SLL 60", "ETHERNET 61", "LINUX_SLL 62", "RAW 63");
      assertThat(port.statistics().errors()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LINUX_SLL, LINUX_SLL 60, 2",
    "linux_sll, LINUX_SLL 60, 2",
    "101, RAW 62, 2",
    "ETHERNET, ETHERNET 61, 2"
  })
  void shouldPassOverPacketsOfOtherTypesThanTheOneChosen(String type, String packet, int errors)
      throws IOException {
    CaptureBuilder b = pcapng(113, 1, 101);
    b.enhanced(0, 1, 60, frame(0, 60)).enhanced(1, 1, 61, frame(1, 61));
    Path file = file("in.pcapng", b.enhanced(2, 1, 62, frame(2, 62)));
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:rx=" + file + ",linktype=" + type);
      assertThat(port.linkTypes()).containsExactly(LinkType.parse(type));
      assertThat(received(harness, port)).containsExactly(packet);
      assertThat(port.statistics().errors()).isEqualTo(errors);
    }
  }

  @Test
  void shouldTakeAllTypesThatThereAreOrWillBe() throws IOException {
    CaptureBuilder b = pcapng(1).enhanced(0, 1, 60, frame(0, 60)).networkInterface(65_535, 0);
    Path inPcapng = file("in.pcapng", b.enhanced(1, 1, 61, frame(1, 61)));
    Path inPcap = file("in.pcap", pcap(600).pcapRecord(1, 2, 60, frame(0, 60)));
    try (PortHarness harness = new PortHarness()) {
      DriverPort first = harness.open("pcap:rx=" + inPcapng + ",linktype=any");
      assertThat(received(harness, first)).containsExactly("ETHERNET 60", "LINKTYPE_65535 61");
      DriverPort second = harness.open("pcap:rx=" + inPcap + ",linktype=any");
      assertThat(received(harness, second)).containsExactly("LINKTYPE_600 60");
      assertThat(LinkType.text(second.linkTypes())).isEqualTo("any");
    }
    try (PortHarness harness = new PortHarness()) {
      DriverPort chosen = harness.open("pcap:rx=" + inPcap + ",linktype=600");
      assertThat(received(harness, chosen)).containsExactly("LINKTYPE_600 60");
    }
  }

  @Test
  void shouldPassOverATypeThatComesBehindTheFirstPacket() throws IOException {
    CaptureBuilder b = pcapng(1).enhanced(0, 1, 60, frame(0, 60)).networkInterface(101, 0);
    Path file = file("in.pcapng", b.enhanced(1, 1, 61, frame(1, 61)));
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      assertThat(received(harness, port)).containsExactly("ETHERNET 60");
      assertThat(port.statistics().errors()).isEqualTo(1);
      assertThatThrownBy(() -> harness.open("pcap:rx=" + file + ",linktype=RAW"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("reason=its link type is ETHERNET, not RAW; name another file");
    }
  }

  @Test
  void shouldRefuseALinkTypeThatDoesNotExist() {
    try (PortHarness harness = new PortHarness()) {
      assertThatThrownBy(() -> harness.open("pcap:rx=in.pcap,linktype=ethernot"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("linktype=ethernot")
          .hasMessageContaining("tcpdump.org/linktypes.html");
    }
  }

  /** In old files the original length of a packet stands in front of what was captured of it. */
  @ParameterizedTest
  @CsvSource({
    "2, 0, true",
    "2, 1, true",
    "2, 2, true",
    "2, 3, true",
    "2, 3, false",
    "2, 4, false",
    "543, 0, true"
  })
  void shouldReadOldVersions(int major, int minor, boolean areExchanged) throws IOException {
    CaptureBuilder b = new CaptureBuilder(ByteOrder.BIG_ENDIAN);
    byte[] header = pcapHeader(major, minor);
    byte[] packet = frame(0, 60);
    ByteBuffer record = ByteBuffer.allocate(16).putInt(1).putInt(2);
    record.putInt(areExchanged ? 1_000 : 60).putInt(areExchanged ? 60 : 1_000);
    Path file = file("old.pcap", b.raw(header).raw(record.array()).raw(packet));
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.reading(file)))
          .containsExactly(new Received(1_000_002_000L, Received.hex(packet)));
    }
  }

  private static byte[] pcapHeader(int major, int minor) {
    return ByteBuffer.allocate(24)
        .putInt(PcapFormat.MICROSECONDS_MAGIC)
        .putShort((short) major)
        .putShort((short) minor)
        .putLong(0)
        .putInt(65_535)
        .putInt(1)
        .array();
  }

  @Test
  void shouldRefuseVersionsThatNeverWere() throws IOException {
    for (int[] version : new int[][] {{1, 4}, {2, 5}, {3, 0}}) {
      CaptureBuilder b = new CaptureBuilder(ByteOrder.BIG_ENDIAN);
      Path file = file("new.pcap", b.raw(pcapHeader(version[0], version[1])));
      try (PortHarness harness = new PortHarness()) {
        assertThatThrownBy(() -> harness.reading(file))
            .hasMessageContaining(
                "it has version %d.%d of the format, and 2.0 to 2.4 can be read"
                    .formatted(version[0], version[1]));
      }
    }
  }

  @Test
  void shouldReadFilesOfTheModifiedLibpcap() throws IOException {
    CaptureBuilder b =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcapHeader(PcapFormat.MODIFIED_MAGIC, 0, 1);
    ByteBuffer record = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    record.putInt(1).putInt(2).putInt(60).putInt(60).putInt(3).putShort((short) 8);
    b.raw(record.array()).raw(frame(0, 60)).raw(record.array()).raw(frame(1, 60));
    try (PortHarness harness = new PortHarness()) {
      assertThat(harness.receiveAll(harness.reading(file("kuznetzov.pcap", b))))
          .extracting(Received::hex)
          .containsExactly(Received.hex(frame(0, 60)), Received.hex(frame(1, 60)));
    }
  }

  @Test
  void shouldWriteAnInterfaceForEachTypeInPcapng() throws IOException {
    Path file = written("out.pcapng", Set.of());
    try (PortHarness harness = new PortHarness()) {
      // The second is named behind the first packet.
      DriverPort port = harness.reading(file);
      assertThat(received(harness, port)).containsExactly("LINUX_SLL2 60", "LINUX_SLL2 62");
      assertThat(port.statistics().errors()).isEqualTo(2);
    }
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:rx=" + file + ",linktype=any");
      assertThat(LinkType.text(port.linkTypes())).isEqualTo("any");
      assertThat(received(harness, port))
          .containsExactly("LINUX_SLL2 60", "ETHERNET 61", "LINUX_SLL2 62", "ETHERNET 63");
    }
  }

  @Test
  void shouldNameTheTypesThatAreExpectedInFrontOfTheFirstPacket() throws IOException {
    Path file = written("out.pcapng", Set.of(LinkType.ETHERNET, LinkType.LINUX_SLL2, LinkType.RAW));
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.reading(file);
      assertThat(LinkType.text(port.linkTypes())).isEqualTo("ETHERNET, RAW, LINUX_SLL2");
      assertThat(received(harness, port))
          .containsExactly("LINUX_SLL2 60", "ETHERNET 61", "LINUX_SLL2 62", "ETHERNET 63");
    }
  }

  /** Four packets of two types by turns. */
  private Path written(String name, Set<LinkType> expected) {
    Path file = directory.resolve(name);
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0, expected)) {
      for (int i = 0; i < 4; i++) {
        Packet packet = packets.of(frame(0, 60 + i));
        packet.linkType(i % 2 == 0 ? LinkType.LINUX_SLL2 : LinkType.ETHERNET);
        assertThat(writer.write(packet)).isTrue();
      }
    }
    return file;
  }

  @Test
  void shouldCompleteAFileWithoutPackets() throws IOException {
    for (String name : List.of("empty.pcap", "empty.pcapng")) {
      Path file = directory.resolve(name);
      CaptureWriter.create(file, 0).close();
      try (PortHarness harness = new PortHarness()) {
        assertThat(received(harness, harness.reading(file))).isEmpty();
      }
    }
  }

  @Test
  void shouldWritePacketsOfOneTypeInPcapAndRefuseOthers() {
    Path file = directory.resolve("out.pcap");
    try (PortHarness harness = new PortHarness()) {
      DriverPort port = harness.open("pcap:tx=" + file);
      assertThat(port.transmits(LinkType.RAW)).isTrue();
      BufferPool pool = harness.pools.create("made", 8, 0, 2_048);
      MbufArray packets = new MbufArray(3);
      pool.allocate(packets, 3);
      for (int i = 0; i < 3; i++) {
        Mbuf.dataLength(packets.handle(i), 60);
        Mbuf.packetLength(packets.handle(i), 60);
        Mbuf.linkType(packets.handle(i), i == 1 ? 1 : 101);
      }
      TxQueue queue = port.txQueue(0);
      assertThat(queue.send(packets, 0)).isEqualTo(3);
      queue.flush();
      assertThat(queue.refused().of(DropReason.TX_LINK_TYPE)).isEqualTo(1);
      assertThat(port.statistics().txPackets()).isEqualTo(2);
      assertThat(queue.undecided()).isZero();
    }
    try (PortHarness harness = new PortHarness()) {
      assertThat(received(harness, harness.reading(file))).containsExactly("RAW 60", "RAW 60");
    }
  }
}
