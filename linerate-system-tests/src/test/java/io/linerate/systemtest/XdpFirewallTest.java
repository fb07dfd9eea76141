package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real HTTP client and a real server with the firewall between them, on {@code xdp:} ports. The
 * hosts leave to their cards what hosts leave to them: nobody was told to switch anything off.
 */
class XdpFirewallTest {
  private static final String LEFT = "xdp:" + Wire.LEFT;
  private static final String RIGHT = "xdp:" + Wire.RIGHT;

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
}
