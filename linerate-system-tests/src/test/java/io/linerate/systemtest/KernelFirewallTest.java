package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real HTTP client and a real server with the firewall between them, on {@code packet:} ports.
 * The hosts leave to their cards what hosts leave to them.
 */
class KernelFirewallTest {
  private static final String LEFT = "packet:" + Wire.LEFT;
  private static final String RIGHT = "packet:" + Wire.RIGHT;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3");
  }

  @Test
  void shouldLetAnHttpClientReachItsServer() {
    String content = "0123456789abcdef".repeat(20_000);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, content);
        Command firewall = lab.startFirewall(LEFT, RIGHT, List.of(), "nonip pass")) {
      assertThat(lab.fetch()).isEqualTo(content + "\n");
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.sent()).isGreaterThan(20);
      assertThat(summary.dropped()).as(summary.json()).doesNotContainKey("tx_too_long");
    }
  }

  @Test
  void shouldLetAnHttpClientReachItsServerThroughSeveralQueues() {
    String content = "0123456789abcdef".repeat(5_000);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, content);
        Command firewall = lab.startFirewall(LEFT, RIGHT, List.of("workers=2"), "nonip pass")) {
      assertThat(lab.fetch()).isEqualTo(content + "\n");
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
    }
  }

  @Test
  void shouldKeepAnHttpClientFromItsServerWhenARuleForbidsIt() {
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, "secret");
        Command firewall =
            lab.startFirewall(
                LEFT, RIGHT, List.of(), "nonip pass", "drop " + Wire.CLIENT_ADDRESS + " tcp")) {
      lab.ping();
      assertThat(lab.curlStatus("2")).as("curl: 28 is a timeout").isEqualTo(28);
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.dropped().get("rule")).as(summary.json()).isPositive();
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenItIsKilled() {
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, "page")) {
      for (int time = 0; time < 2; time++) {
        try (Command firewall = lab.startFirewall(LEFT, RIGHT, List.of(), "nonip pass")) {
          lab.ping();
          assertThat(sockets(lab)).as("packet sockets").isPositive();
          assertThat(promiscuity(lab)).contains("promiscuity 1");
          firewall.kill();
        }
        assertThat(sockets(lab)).as("packet sockets").isZero();
        assertThat(promiscuity(lab)).contains("promiscuity 0");
      }
    }
  }

  /** Packet sockets of the middle: the lines after the heading. */
  private static long sockets(HttpLab lab) {
    return in(lab, "cat", "/proc/net/packet").lines().count() - 1;
  }

  private static String promiscuity(HttpLab lab) {
    return in(lab, "ip", "-d", "link", "show", "dev", Wire.LEFT);
  }

  private static String in(HttpLab lab, String... words) {
    return Command.run(Command.in(lab.wire.middle, List.of(words)).toArray(new String[0]));
  }
}
