package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two hosts with what kernels leave to cards, and a firewall between them that lets connections out
 * and none in.
 */
class StatefulFirewallTest {
  private static final String[] RULES = {
    "nonip pass arp",
    "pass state established,related",
    "pass in left state new",
    "pass ip6 icmpv6 type neighbor-solicitation,neighbor-advertisement",
    "default drop",
  };

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3");
  }

  @ParameterizedTest
  @CsvSource({"packet, 1", "packet, 2", "xdp, 2"})
  void shouldLetConnectionsOutAndNoneIn(String scheme, int workers) {
    String content = "0123456789abcdef".repeat(60_000);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, content);
        Command inside = lab.serveAtTheClient();
        Command firewall =
            lab.startFirewall(
                scheme + ":" + Wire.LEFT,
                scheme + ":" + Wire.RIGHT,
                List.of("workers=" + workers),
                RULES)) {
      lab.ping();
      for (int i = 0; i < 10; i++) {
        assertThat(lab.fetch()).isEqualTo(content + "\n");
      }
      assertThat(lab.curlStatusInside()).isZero(); // It serves those inside.
      assertThat(lab.curlStatusOfTheServer()).as("28 is a timeout").isEqualTo(28);
      assertThat(inside.isAlive()).isTrue();
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.dropped().get("default_rule")).as(summary.json()).isPositive();
      // What kernels leave to cards is longer than the MTU, and passes all the same.
      assertThat(summary.dropped()).doesNotContainKeys("too_big", "malformed");
    }
  }
}
