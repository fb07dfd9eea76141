package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of two processes with a {@code fabric:} port between them. */
class FabricPortProgramTest {
  private static final int PACKETS = 300_000;

  @TempDir Path folder;

  @BeforeEach
  void requireFabric() {
    FabricLab.requireFabric();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldCarryAllThatIsGeneratedInItsOrder(String provider) throws IOException {
    String address = FabricLab.address(provider);
    Path file = folder.resolve("got.pcap");
    List<String> capture =
        Command.linerate(
            "capture", "--port", address, "--packets", "" + PACKETS, "--write", file.toString());
    List<String> generate =
        Command.linerate(
            "generate", "--port", address, "--packets", "" + PACKETS, "--sequence", "--json");
    try (Command receiver = Command.start(capture)) {
      receiver.awaitError(said -> said.contains("capture runs"));
      try (Command sender = Command.start(generate)) {
        assertThat(sender.awaitExit()).as(sender.errors()).isZero();
        Summary summary = new Summary(sender.output());
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.sent()).as(summary.json()).isEqualTo(PACKETS);
        assertThat(summary.dropped()).isEmpty();
      }
      assertThat(receiver.awaitExit()).as(receiver.errors()).isZero();
    }
    List<byte[]> frames = CapturedFrames.of(file);
    assertThat(frames).hasSize(PACKETS);
    for (int i = 0; i < PACKETS; i++) {
      assertThat(sequence(frames.get(i))).isEqualTo(i);
    }
  }

  /** As docs/generate.md has stamps, behind Ethernet, IPv4 and UDP. */
  private static long sequence(byte[] frame) {
    return ByteBuffer.wrap(frame).getInt(42 + 6) & 0xFFFF_FFFFL;
  }

  @Test
  void shouldSayThatNobodyTakesWhatIsGenerated() throws IOException {
    List<String> generate =
        Command.linerate(
            "generate", "--port", FabricLab.address("shm"), "--packets", "100", "--json");
    try (Command sender = Command.start(generate)) {
      assertThat(sender.awaitExit()).as(sender.errors()).isZero();
      assertThat(new Summary(sender.output()).dropped()).containsEntry("tx_link_down", 100L);
      assertThat(sender.errors())
          .containsOnlyOnce("nobody is at the other end, packets are dropped as tx_link_down: ");
    }
  }

  /** Streams go by it as they do by any port. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldCarryFilesFromEndToEnd(String provider) throws IOException {
    String via = FabricLab.address(provider);
    byte[] content = new byte[20_000_000];
    ThreadLocalRandom.current().nextBytes(content);
    Path sent = Files.write(folder.resolve("file"), content);
    Path into = Files.createDirectory(folder.resolve("in"));
    List<String> receive =
        Command.linerate(
            "receive",
            "--into",
            into.toString(),
            "--via",
            via,
            "--address",
            "10.9.0.2/24",
            "--once",
            "--set",
            "mtu=9000");
    List<String> send =
        Command.linerate(
            "send",
            sent.toString(),
            "--to",
            "10.9.0.2",
            "--via",
            via,
            "--address",
            "10.9.0.1/24",
            "--set",
            "mtu=9000");
    try (Command receiver = Command.start(receive)) {
      receiver.awaitError(said -> said.contains("receive runs"));
      try (Command sender = Command.start(send)) {
        assertThat(sender.awaitExit()).as(sender.errors()).isZero();
      }
      assertThat(receiver.awaitExit()).as(receiver.errors()).isZero();
    }
    assertThat(into.resolve("file")).hasSameBinaryContentAs(sent);
  }
}
