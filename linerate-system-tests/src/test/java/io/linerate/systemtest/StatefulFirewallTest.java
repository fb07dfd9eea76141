package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

  /** Handshakes are answered for the server, whose numbers are others then. */
  @ParameterizedTest
  @CsvSource({"packet, 2", "xdp, 1"})
  void shouldAnswerHandshakesForServers(String scheme, int workers) {
    String content = "0123456789abcdef".repeat(60_000);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, content);
        Command firewall =
            lab.startFirewall(
                scheme + ":" + Wire.LEFT,
                scheme + ":" + Wire.RIGHT,
                List.of("workers=" + workers, "syn_proxy=left 10.77.0.2:1-65535"),
                "nonip pass arp",
                "pass state established,related",
                "pass in left state new",
                "default reject")) {
      lab.ping();
      for (int i = 0; i < 10; i++) {
        assertThat(lab.fetch()).isEqualTo(content + "\n");
      }
      assertThat(lab.wire.statusOfClient("curl", "-s", "-m", "10", "http://10.77.0.2:9/"))
          .as("7 is a refusal, 55 and 56 a reset: nobody listens there")
          .isIn(7, 52, 55, 56);
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.dropped().get("syn_answered")).as(summary.json()).isGreaterThan(20);
      assertThat(summary.dropped()).doesNotContainKeys("syn_unproven", "malformed", "too_big");
    }
  }

  /** Clients learn at once what they would wait for otherwise. */
  @Test
  void shouldTellWhoIsRejected() {
    String datagram =
        """
        import socket
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.settimeout(5)
        s.connect(('%s', 9))
        s.send(b'x')
        try:
          s.recv(1)
        except ConnectionRefusedError:
          print('refused')
        """
            .formatted(Wire.CLIENT_ADDRESS);
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, "page");
        Command inside = lab.serveAtTheClient();
        Command firewall =
            lab.startFirewall(
                "packet:" + Wire.LEFT,
                "packet:" + Wire.RIGHT,
                List.of("workers=2"),
                "nonip pass arp",
                "pass state established,related",
                "pass in left state new",
                "default reject")) {
      lab.ping();
      assertThat(lab.fetch()).isEqualTo("page\n");
      assertThat(lab.curlStatusInside()).isZero();
      assertThat(lab.curlStatusOfTheServer()).as("7 is a refusal").isEqualTo(7);
      assertThat(
              Command.run(
                  Command.in(lab.wire.server, List.of("python3", "-c", datagram))
                      .toArray(new String[0])))
          .contains("refused");
      assertThat(inside.isAlive()).isTrue();
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      assertThat(summary.dropped().get("reported")).as(summary.json()).isEqualTo(2);
      assertThat(summary.dropped()).doesNotContainKeys("default_rule");
    }
  }
}
