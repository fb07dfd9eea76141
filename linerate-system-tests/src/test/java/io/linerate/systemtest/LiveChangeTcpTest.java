package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A graph between a real TCP client and its server changes a thousand times while they talk. */
class LiveChangeTcpTest {
  private static final int CHANGES = 1_000;
  private static final int FILE_BYTES = 24 << 20;
  private static final String URL = "http://" + Wire.SERVER_ADDRESS + ":8000/file";

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "python3");
  }

  @Test
  void shouldNeitherLoseNorReorderWhatAConnectionSends() {
    byte[] content = new byte[FILE_BYTES];
    IntStream.range(0, content.length).forEach(i -> content[i] = (byte) (i * 31 + (i >>> 13)));
    Path file = write(folder.resolve("file"), content);
    Path fetched = folder.resolve("fetched");
    try (Wire wire = new Wire(Wire.Offloads.NONE);
        Command server = startServer(wire);
        Command bridge = startBridge(wire)) {
      bridge.awaitError(text -> text.contains("ready"));
      awaitServer(wire);
      try (Command client =
          Command.start(Command.in(wire.client, curl("--limit-rate", "6M", "-o", fetched + "")))) {
        for (int i = 0; i < CHANGES; i++) {
          bridge.say("change");
          Command.pause(2);
        }
        assertThat(client.awaitExit()).as(client.errors()).isZero();
      }
      bridge.say("end");
      assertThat(bridge.awaitExit()).as(bridge.errors()).isZero();
      assertThat(fetched).hasSameBinaryContentAs(file);
      String said = bridge.output();
      assertThat(said)
          .startsWith("changes=1000 conserved=true")
          .contains("dropped={} ")
          .matches("(?s).*received=([0-9]+) sent=\\1 .*kept=\\1\\s*");
      long outOfOrder = counter(wire.client, "netstat", "TcpExt:", "TCPOFOQueue");
      if (outOfOrder > 0) {
        // Then the kernel lost a segment elsewhere: one that was only late would have been reported
        // as
        // received twice (RFC 2883) once it was sent again.
        long sentAgain = counter(wire.server, "snmp", "Tcp:", "RetransSegs");
        long receivedTwice = counter(wire.server, "netstat", "TcpExt:", "TCPDSACKRecv");
        assertThat(sentAgain)
            .as("%s, out of order=%d", said, outOfOrder)
            .isGreaterThan(receivedTwice);
      }
      assertThat(server.isAlive()).isTrue();
    }
  }

  /** A counter of a network namespace: a line of names, a line of numbers. */
  private static long counter(String namespace, String file, String kind, String name) {
    List<String> lines =
        Command.run("ip", "netns", "exec", namespace, "cat", "/proc/net/" + file)
            .lines()
            .filter(line -> line.startsWith(kind))
            .toList();
    return Long.parseLong(words(lines.get(1)).get(words(lines.get(0)).indexOf(name)));
  }

  private static List<String> words(String line) {
    return Pattern.compile(" ").splitAsStream(line).toList();
  }

  private Command startServer(Wire wire) {
    return Command.start(
        "ip",
        "netns",
        "exec",
        wire.server,
        "python3",
        "-u",
        "-m",
        "http.server",
        "8000",
        "--bind",
        Wire.SERVER_ADDRESS,
        "--directory",
        folder.toString());
  }

  private static Command startBridge(Wire wire) {
    return Command.start(
        Command.in(
            wire.middle,
            Command.java(ChangingBridge.class, "packet:" + Wire.LEFT, "packet:" + Wire.RIGHT)));
  }

  private static void awaitServer(Wire wire) {
    for (int attempt = 0; attempt < 600; attempt++) {
      String[] head = Command.in(wire.client, curl("-I", "-o", "/dev/null")).toArray(String[]::new);
      if (Command.status(head) == 0) {
        return;
      }
      Command.pause(200);
    }
    throw new AssertionError("client never reached the server: url=" + URL);
  }

  private static List<String> curl(String... options) {
    List<String> words = new ArrayList<>(List.of("curl", "-s", "-S", "--max-time", "300"));
    words.addAll(List.of(options));
    words.add(URL);
    return words;
  }

  private static Path write(Path file, byte[] content) {
    try {
      return Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
