package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code dpdk-testpmd} in a process of its own sends over shared memory as fast as it can; {@code
 * linerate capture} receives.
 */
class MemifCaptureTest {
  private static final Pattern RECEIVED = Pattern.compile("([\\d,]+) received");

  /** What the sender takes, and as much to spare. */
  private static final int HUGE_PAGES = 128;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requireDpdk();
    Lab.requirePrograms("dpdk-testpmd");
  }

  /** Twice, or a hundred times in a soak, the sender is killed in full flow and starts again. */
  @Tag("sampled")
  @ParameterizedTest
  @ValueSource(strings = {"server", "client"})
  void shouldAccountForEveryPacketAndGoOnWhenTheSenderComesBack(String role) {
    String senders = role.equals("server") ? "client" : "server";
    try (Command first = senders.equals("server") ? startSender(senders) : null;
        Command capture = Command.start(Command.linerate(captureArguments(role)))) {
      capture.awaitError(text -> RECEIVED.matcher(text).find());
      long received = 0;
      if (first != null) {
        received = receiveFrom(first, capture, received);
      }
      for (int i = 0; i < Soak.times(2, 100); i++) {
        received = receiveFrom(startSender(senders), capture, received);
      }

      capture.terminate();
      assertThat(capture.awaitExit()).as(capture.errors()).isZero();
      Summary summary = new Summary(capture.output());
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.inFlight()).isZero();
      assertThat(summary.received()).isGreaterThanOrEqualTo(received);
      assertThat(summary.number("rxPackets"))
          .as("the port's count, of both connections")
          .isEqualTo(summary.received());
      assertThat(summary.dropped()).containsOnlyKeys("consumed");
    }
  }

  @Test
  void shouldStartAgainWhereItWasKilled() {
    try (Command killed = Command.start(Command.linerate(captureArguments("server")))) {
      killed.awaitError(text -> RECEIVED.matcher(text).find());
      killed.kill();
    }
    assertThat(socket()).exists();
    try (Command capture = Command.start(Command.linerate(captureArguments("server")))) {
      capture.awaitError(text -> RECEIVED.matcher(text).find());
      capture.terminate();
      assertThat(capture.awaitExit()).as(capture.errors()).isZero();
    }
  }

  @Test
  void shouldWaitForItsServer() {
    try (Command client = Command.start(Command.linerate(captureArguments("client")))) {
      client.awaitError(text -> text.contains("port waits for its server"));
      try (Command server = Command.start(Command.linerate(captureArguments("server")))) {
        client.awaitError(text -> RECEIVED.matcher(text).find());
        client.terminate();
        assertThat(client.awaitExit()).as(client.errors()).isZero();
        server.terminate();
        assertThat(server.awaitExit()).as(server.errors()).isZero();
      }
    }
  }

  @Test
  @Tag("soak")
  void shouldSayThatThereIsNoServer() {
    try (Command client = Command.start(Command.linerate(captureArguments("client")))) {
      assertThat(client.awaitExit()).isEqualTo(1);
      assertThat(client.errors())
          .contains("net_memif client found no server: port=port0, socket=" + socket());
    }
  }

  @Test
  void shouldConnectTwoPortsOfOneProgram() {
    for (String isAbstract : List.of("yes", "no")) {
      try (Command generator = startGenerator("server", "client", isAbstract)) {
        assertThat(generator.awaitExit()).as(generator.errors()).isZero();
        Summary summary = new Summary(generator.output());
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.number("sent")).as(summary.json()).isPositive();
        assertThat(summary.number("lost")).as(summary.json()).isZero();
      }
    }
  }

  /** DPDK would never listen for it. */
  @Test
  void shouldRefuseAServerAfterItsClientInOneProgram() {
    try (Command generator = startGenerator("client", "server", "no")) {
      assertThat(generator.awaitExit()).isEqualTo(2);
      assertThat(generator.errors())
          .contains("net_memif server is opened after its client: port=in, socket=" + socket());
    }
  }

  private Command startGenerator(String sends, String receives, String isAbstract) {
    String ends = "dpdk:net_memif%d,role=%s,id=0,socket-abstract=%s,socket=" + socket();
    String[] generate = {
      "generate",
      "--port",
      ends.formatted(0, sends, isAbstract),
      "--receive",
      ends.formatted(1, receives, isAbstract),
      "--packets",
      "10000",
      "--rate",
      "100kpps",
      "--json"
    };
    return Command.start(Command.linerate(generate));
  }

  private String[] captureArguments(String role) {
    return new String[] {
      "capture",
      "--port",
      "dpdk:net_memif0,id=0,role="
          + role
          + ",socket="
          + socket()
          + ",socket-abstract=no,bsize=2048,rsize=10",
      "--stats",
      "200ms",
      "--json",
      "--duration",
      "1h"
    };
  }

  private Path socket() {
    return folder.resolve("memif.sock");
  }

  private Command startSender(String role) {
    boolean hugePages = Lab.hasHugePages(HUGE_PAGES);
    if (role.equals("server")) {
      Lab.delete(socket()); // That of one that was killed: DPDK's own tools do not.
    }
    return Command.start(
        "env",
        "RUNTIME_DIRECTORY=" + folder,
        "dpdk-testpmd",
        "--no-pci",
        "--in-memory",
        "--no-telemetry",
        "--file-prefix",
        "sender" + System.nanoTime(),
        "-m",
        hugePages ? "128" : "256",
        hugePages ? "--single-file-segments" : "--no-huge",
        "--lcores",
        "0@0,1@0",
        "--vdev",
        "net_memif0,role="
            + role
            + ",id=0,socket="
            + socket()
            + ",socket-abstract=no,bsize=2048,rsize=10",
        "--",
        "--total-num-mbufs=16384",
        "--forward-mode=txonly",
        "--stats-period=1");
  }

  /** Lets a sender run until packets come, then kills it in full flow. */
  private static long receiveFrom(Command sender, Command capture, long before) {
    try (sender) {
      long received = awaitMoreThan(capture, before + 10_000, sender);
      sender.kill();
      return received;
    }
  }

  private static long awaitMoreThan(Command capture, long packets, Command sender) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
    while (System.nanoTime() < end) {
      long received = lastReceived(capture.errors());
      if (received > packets) {
        return received;
      }
      Command.pause(100);
    }
    throw new AssertionError(
        "too few packets came: wanted="
            + packets
            + ", capture says "
            + capture.errors()
            + ", sender says "
            + sender.errors());
  }

  private static long lastReceived(String statistics) {
    Matcher matcher = RECEIVED.matcher(statistics);
    long last = 0;
    while (matcher.find()) {
      last = Long.parseLong(matcher.group(1).replace(",", ""));
    }
    return last;
  }
}
