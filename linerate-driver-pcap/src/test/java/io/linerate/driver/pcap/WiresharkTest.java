package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.driver.pcap.PortHarness.Received;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wireshark's tools write what we read, and read what we write. */
class WiresharkTest {
  private static final long TIME_NS = 1_700_000_000_123_456_789L;

  @TempDir Path directory;

  @BeforeAll
  static void needTools() {
    for (String tool : List.of("tshark", "editcap", "mergecap", "text2pcap", "capinfos")) {
      assumeTrue(
          Files.isExecutable(Path.of("/usr/bin", tool)),
          "needs " + tool + " of Wireshark: apt install tshark wireshark-common");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pcap", "nsecpcap", "pcapng"})
  void shouldReadTheFormatsThatEditcapWrites(String format) throws Exception {
    Path ours = write("ours.pcapng", 0, 0);
    Path file = directory.resolve("theirs");
    run("editcap", "-F", format, ours.toString(), file.toString());
    assertSameAsTshark(file, 6);
  }

  @Test
  void shouldReadSeveralInterfacesAndSections() throws Exception {
    Path one = write("one.pcapng", 0, 0);
    Path two = write("two.pcap", 500, 0);
    Path merged = directory.resolve("merged.pcapng");
    run("mergecap", "-w", merged.toString(), one.toString(), two.toString());
    assertSameAsTshark(merged, 12);

    Path sections = directory.resolve("sections.pcapng");
    Files.write(
        sections,
        CaptureBuilder.concat(
            Files.readAllBytes(merged), Files.readAllBytes(one), bigEndianSection()));
    assertSameAsTshark(sections, 19);
  }

  private static byte[] bigEndianSection() {
    CaptureBuilder b = new CaptureBuilder(ByteOrder.BIG_ENDIAN);
    return b.section(CaptureBuilder.concat(b.option(1, (byte) 'x'), b.option(0)))
        .networkInterface(1, 0, b.option(9, (byte) 9))
        .enhanced(0, TIME_NS, 60, frame(0, 60))
        .build();
  }

  @Test
  void shouldWriteCommentsThatTsharkShows() throws Exception {
    Path file = directory.resolve("drops.pcapng");
    try (Packets packets = new Packets();
        CaptureTap tap = new CaptureTap(CaptureWriter.create(file, 0), _ -> {})) {
      DropRing ring = new DropRing(0, DropFilter.ALL, 1_000);
      for (int length = 60; length < 68; length++) {
        packets.of(frame(length, length));
        DropPlace place = new DropPlace("e".repeat(length - 59), "");
        ring.dropped(packets.owned().handle(0), TIME_NS, DropReason.FORGOTTEN, place);
      }
      ring.drain(tap);
    }
    List<String> shown =
        run(
                "tshark",
                "-r",
                file.toString(),
                "-T",
                "fields",
                "-e",
                "frame.comment",
                "-e",
                "frame.len")
            .lines()
            .toList();
    assertThat(shown).hasSize(8).first().isEqualTo("reason=forgotten, element=e, worker=0\t60");
    assertThat(shown).last().isEqualTo("reason=forgotten, element=eeeeeeee, worker=0\t67");
  }

  @Test
  void shouldReadCommentsAndWhatText2pcapWrites() throws Exception {
    Path text = directory.resolve("packet.txt");
    Files.writeString(text, "0000 ff ff ff ff ff ff 02 00 00 00 00 00 88 b5 01 02\n");
    Path file = directory.resolve("text.pcapng");
    run("text2pcap", "-q", text.toString(), file.toString());
    assertSameAsTshark(file, 1);
    Path commented = directory.resolve("commented.pcapng");
    run("editcap", "-a", "1:a comment", file.toString(), commented.toString());
    assertSameAsTshark(commented, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.pcap", "out.pcapng"})
  void shouldWriteWhatWiresharkReads(String name) throws Exception {
    Path file = write(name, 0, 100);
    assertThat(run("capinfos", "-M", "-c", "-E", "-l", file.toString()))
        .contains("Number of packets:   6", "ether", "inferred: 100 bytes");
    assertSameAsTshark(file, 6);
  }

  private Path write(String name, int shiftNs, int snapLengthBytes) {
    Path file = directory.resolve(name);
    int[] lengths = {14, 15, 60, 61, 1_514, 2_000};
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, snapLengthBytes)) {
      for (int i = 0; i < lengths.length; i++) {
        Packet packet = packets.of(frame(i, lengths[i]));
        Mbuf.timestampNs(packets.owned().handle(0), TIME_NS + 1_001L * i + shiftNs);
        writer.write(packet);
      }
    }
    return file;
  }

  private void assertSameAsTshark(Path file, int packets) throws Exception {
    List<String> theirs =
        run(
                "tshark",
                "-r",
                file.toString(),
                "-T",
                "fields",
                "-e",
                "frame.time_epoch",
                "-e",
                "frame.cap_len",
                "-e",
                "data.data",
                "-e",
                "eth.dst",
                "--disable-protocol",
                "ip")
            .lines()
            .toList();
    List<String> ours = new ArrayList<>();
    try (PortHarness harness = new PortHarness()) {
      for (Received packet : harness.receiveAll(harness.reading(file))) {
        ours.add(
            "%s\t%d\t%s\tff:ff:ff:ff:ff:ff"
                .formatted(
                    BigDecimal.valueOf(packet.timestampNs(), 9),
                    packet.hex().length() / 2,
                    packet.hex().substring(28)));
      }
    }
    assertThat(ours).hasSize(packets).isEqualTo(theirs);
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(false)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("%s ends", command[0]).isTrue();
      assertThat(process.exitValue()).as("exit status of %s", command[0]).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
