package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.concat;
import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.driver.pcap.PortHarness.Received;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapngReadingTest {
  private static final byte[] COMMENT = "a comment".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
  void shouldReadPacketsOfEveryKindOfBlockAndPassOverTheRest(String orderName) throws IOException {
    ByteOrder order = order(orderName);
    CaptureBuilder b = new CaptureBuilder(order);
    byte[] options = concat(b.option(1, COMMENT), b.option(2988, new byte[7]), b.option(0));
    b.section(options)
        .block(5, new byte[20]) // Interface statistics.
        .block(0x80000BAD, new byte[3]) // A local block.
        .networkInterface(1, 100, options)
        .block(4, new byte[40]) // Name resolution.
        .enhanced(0, 1_000_001L, 60, frame(0, 60), options)
        .block(0x0BAD, new byte[13]) // Custom.
        .obsolete(0, 0x1_0000_0002L, 61, frame(1, 61))
        .simple(62, frame(2, 62))
        .simple(5_000, frame(3, 100))
        .block(0x40000BAD) // Custom, not to be copied.
        .enhanced(0, 5, 64, frame(4, 0));
    List<Received> received = read(b.build());
    assertThat(received)
        .containsExactly(
            new Received(1_000_001_000L, Received.hex(frame(0, 60))),
            new Received(0x1_0000_0002L * 1_000, Received.hex(frame(1, 61))),
            new Received(PortHarness.CLOCK_NS, Received.hex(frame(2, 62))),
            new Received(PortHarness.CLOCK_NS, Received.hex(frame(3, 100))),
            new Received(5_000, ""));
  }

  /** Resolution and offset of the interface, the time in its units, and what that is in ns. */
  @ParameterizedTest
  @CsvSource({
    "6, 0, 1700000000123456, 1700000000123456000",
    "9, 0, 1700000000123456789, 1700000000123456789",
    "0, 0, 1700000000, 1700000000000000000",
    "3, 10, 1700000000123, 1700000010123000000",
    "9, -3600, 1700000000123456789, 1699996400123456789",
    "12, 0, 1700000000123456, 1700000000123",
    "28, 0, 9223372036854775807, 0",
    "29, 0, 9223372036854775807, 0",
    "127, 0, 9223372036854775807, 0",
    "128, 7, 5, 12000000000",
    "138, 0, 1741025, 1700219726562",
    "160, 0, 4294967297, 1000000000",
    "191, 0, 9223372036854775807, 999999999",
    "192, 0, 9223372036854775807, 499999999",
    "193, 0, 9223372036854775807, 249999999",
    "255, 0, 9223372036854775807, 0",
  })
  void shouldConvertEachInterfacesClock(int resolution, long offset, long units, long ns)
      throws IOException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      CaptureBuilder b = new CaptureBuilder(order);
      byte[] options =
          concat(b.option(9, (byte) resolution), b.option(14, b.i64(offset)), b.option(0));
      b.section().networkInterface(1, 0, options).enhanced(0, units, 60, frame(0, 60));
      assertThat(read(b.build())).extracting(Received::timestampNs).containsExactly(ns);
    }
  }

  @Test
  void shouldReadSectionsEachInItsOwnByteOrderAndWithItsOwnInterfaces() throws IOException {
    CaptureBuilder little = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN);
    little.section().networkInterface(1, 0, little.option(9, (byte) 9));
    little.networkInterface(1, 0);
    little.enhanced(0, 7, 60, frame(0, 60)).enhanced(1, 7, 60, frame(1, 60));
    CaptureBuilder big = new CaptureBuilder(ByteOrder.BIG_ENDIAN);
    big.section().networkInterface(1, 0, big.option(9, (byte) 3)).enhanced(0, 7, 60, frame(2, 60));
    byte[] file = concat(little.build(), big.build(), little.build());
    assertThat(read(file))
        .extracting(Received::timestampNs)
        .containsExactly(7L, 7_000L, 7_000_000L, 7L, 7_000L);
  }

  @Test
  void shouldGiveThePacketsHeaderAsHeadroom() throws IOException {
    CaptureBuilder b = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN);
    b.section().networkInterface(1, 0);
    b.enhanced(0, 1, 60, frame(0, 60)).obsolete(0, 1, 60, frame(1, 60)).simple(60, frame(2, 60));
    Path file = Files.write(directory.resolve("in.pcapng"), b.build());
    List<Integer> headrooms = new ArrayList<>();
    try (PortHarness harness = new PortHarness()) {
      harness.receiveAll(
          harness.reading(file),
          packet -> {
            headrooms.add(packet.headroomBytes());
            packet.growHead(packet.headroomBytes());
            packet.u64(0, -1);
          });
    }
    assertThat(headrooms).containsExactly(28, 28, 12);
  }

  @Test
  void shouldKeepManyInterfacesApart() throws IOException {
    CaptureBuilder b = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).section();
    for (int i = 0; i < 100; i++) {
      b.networkInterface(1, 0, b.option(14, b.i64(i)));
    }
    for (int i = 0; i < 100; i++) {
      b.enhanced(i, 0, 60, frame(i, 60));
    }
    List<Received> received = read(b.build());
    for (int i = 0; i < 100; i++) {
      assertThat(received.get(i).timestampNs()).isEqualTo(i * 1_000_000_000L);
    }
  }

  private List<Received> read(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("in.pcapng"), bytes);
    try (PortHarness harness = new PortHarness()) {
      return harness.receiveAll(harness.reading(file));
    }
  }

  private static ByteOrder order(String name) {
    return name.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }
}
