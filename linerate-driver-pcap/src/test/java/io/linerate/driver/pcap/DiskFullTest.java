package io.linerate.driver.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file system of its own that is soon full. */
class DiskFullTest {
  private static final int PACKET_BYTES = 1_000;

  @TempDir Path folder;

  @BeforeEach
  void mount() throws IOException, InterruptedException {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: needs root to mount");
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder.toString()) == 0,
        "skipped: no tmpfs");
  }

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    run("umount", folder.toString());
  }

  private static int run(String... words) throws IOException, InterruptedException {
    return new ProcessBuilder(words).start().waitFor();
  }

  @ParameterizedTest
  @ValueSource(strings = {"full.pcap", "full.pcapng"})
  void shouldKeepEveryPacketThatTheDiskTook(String name) throws IOException {
    Path file = folder.resolve(name);
    CaptureWriter writer = CaptureWriter.create(file, 0);
    try (Packets packets = new Packets()) {
      Packet packet = packets.of(new byte[PACKET_BYTES]);
      for (int i = 0; i < 500; i++) {
        writer.write(packet);
      }
    }
    assertThatExceptionOfType(PortException.class)
        .isThrownBy(writer::flush)
        .withMessageContaining("file=" + file)
        .withMessageContaining(
            "packets=" + writer.packets() + ", lost=" + (500 - writer.packets()));
    writer.close();
    assertThat(writer.packets()).isBetween(200L, 260L);
    assertThat(readBack(file)).isEqualTo(writer.packets());
    Files.delete(file);
  }

  @Test
  void shouldCountAsSentWhatTheDiskTook() throws IOException {
    Path source = Files.createTempFile("source", ".pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(source, 0)) {
      Packet packet = packets.of(new byte[PACKET_BYTES]);
      for (int i = 0; i < 500; i++) {
        writer.write(packet);
      }
    }
    Path file = folder.resolve("full.pcap");
    RunSummary summary;
    long txPackets;
    try (Engine engine = new Engine()) {
      Port out = engine.port("pcap:tx=" + file);
      Output output = engine.worker().output(out);
      engine.worker().input(engine.port("pcap:rx=" + source), output::sendAll);
      summary = engine.run();
      txPackets = out.statistics().txPackets();
    } finally {
      Files.delete(source);
    }
    PacketCounts counts = summary.packets();
    assertThat(summary.failures()).singleElement().asString().contains("lost=");
    assertThat(counts.isConserved()).isTrue();
    assertThat(counts.sent()).isEqualTo(readBack(file)).isEqualTo(txPackets).isBetween(200L, 260L);
    assertThat(counts.dropped()).containsOnlyKeys("tx_error");
    Files.delete(file);
  }

  private static long readBack(Path file) {
    try (Engine engine = new Engine()) {
      engine.worker().input(engine.port("pcap:rx=" + file), burst -> {});
      var summary = engine.run();
      assertThat(summary.failures()).isEmpty();
      return summary.packets().received();
    }
  }
}
