package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real HTTP client and a real server with the firewall between them, on DPDK's af_packet devices.
 */
class DpdkFirewallTest {
  private static final String LEFT = "dpdk:net_af_packet0,iface=" + Wire.LEFT;
  private static final String RIGHT = "dpdk:net_af_packet1,iface=" + Wire.RIGHT;
  private static final List<String> SETTINGS = List.of("memory=128");

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requireDpdk();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3");
  }

  @Test
  void shouldLetAnHttpClientReachItsServer() {
    String content = "0123456789abcdef".repeat(20_000);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.NONE, content);
        Command firewall = lab.startFirewall(LEFT, RIGHT, SETTINGS, "nonip pass")) {
      assertThat(lab.fetch()).isEqualTo(content + "\n");
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.sent()).isGreaterThan(20);
      assertThat(lab.isServing()).isTrue();
    }
  }

  @Test
  void shouldKeepAnHttpClientFromItsServerWhenARuleForbidsIt() {
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.NONE, "secret");
        Command firewall =
            lab.startFirewall(
                LEFT, RIGHT, SETTINGS, "nonip pass", "drop " + Wire.CLIENT_ADDRESS + " tcp")) {
      // The rule is about TCP: everything else of the client's passes.
      lab.ping();
      assertThat(lab.curlStatus("2")).as("curl: 28 is a timeout").isEqualTo(28);
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.dropped().get("rule")).as(summary.json()).isPositive();
      assertThat(lab.isServing()).isTrue();
    }
  }
}
