package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code linerate generate} sends over shared memory to {@code dpdk-testpmd}, which counts. */
class GenerateMemifTest {
  private static final int PACKETS = 100_000;
  private static final Pattern RECEIVED = Pattern.compile("RX-packets: (\\d+)");

  /** What the receiver takes, and as much to spare. */
  private static final int HUGE_PAGES = 128;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requireDpdk();
    Lab.requirePrograms("dpdk-testpmd");
  }

  @Test
  void shouldSendExactlyThePacketsAskedForToAnotherProgram() {
    try (Command receiver = Command.start(receiverWords())) {
      awaitSocket();
      generate();
      receiver.terminate();
      int _ = receiver.awaitExit();
      assertThat(mostReceived(receiver.output())).isBetween(1, PACKETS);
    }
  }

  /** Its counts begin again at 0 when the sender goes: the most that it has said. */
  private static int mostReceived(String output) {
    return RECEIVED
        .matcher(output)
        .results()
        .mapToInt(result -> Integer.parseInt(result.group(1)))
        .max()
        .orElse(0);
  }

  /** A client without a server cannot start. */
  private void awaitSocket() {
    for (int i = 0; i < 3_600 && !Files.exists(socket()); i++) {
      Command.pause(50);
    }
  }

  private void generate() {
    String[] words = {
      "generate",
      "--port",
      "dpdk:" + memif("client"),
      "--packets",
      Integer.toString(PACKETS),
      "--rate",
      "25kpps",
      "--src",
      "10.0.0.0/16",
      "--sequence",
      "--json"
    };
    try (Command generator = Command.start(Command.linerate(words))) {
      assertThat(generator.awaitExit()).as(generator.errors()).isZero();
      Summary summary = new Summary(generator.output());
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.sent()).isEqualTo(PACKETS);
      assertThat(summary.number("txPackets")).isEqualTo(PACKETS);
    }
  }

  private String memif(String role) {
    return "net_memif0,role="
        + role
        + ",id=0,socket="
        + socket()
        + ",socket-abstract=no,bsize=2048,rsize=10";
  }

  private Path socket() {
    return folder.resolve("memif.sock");
  }

  private List<String> receiverWords() {
    boolean hugePages = Lab.hasHugePages(HUGE_PAGES);
    return List.of(
        "env",
        "RUNTIME_DIRECTORY=" + folder,
        // It may crash when its peer leaves, a bug of net_memif: what it has said counts all the
        // same.
        "stdbuf",
        "-oL",
        "dpdk-testpmd",
        "--no-pci",
        "--in-memory",
        "--no-telemetry",
        "--file-prefix",
        "receiver" + System.nanoTime(),
        "-m",
        hugePages ? "128" : "256",
        hugePages ? "--single-file-segments" : "--no-huge",
        "--lcores",
        "0@0,1@0",
        "--vdev",
        memif("server"),
        "--",
        "--total-num-mbufs=16384",
        "--forward-mode=rxonly",
        "--stats-period=1");
  }
}
