package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/**
 * Clients of DHCP that people have, which the client of a {@link Wire} runs one after the other.
 */
final class DhcpClients {
  private final Wire wire;
  private final Path folder;
  private final Path script;
  private final Runnable reach;

  /**
   * @param reach waits until the client reaches what it is to reach with its address
   */
  DhcpClients(Wire wire, Path folder, Runnable reach) {
    this.wire = wire;
    this.folder = folder;
    this.reach = reach;
    script =
        Lab.write(
            folder.resolve("script"),
            "#!/bin/sh",
            "case $1$reason in bound|renew|BOUND|RENEW) ;; *) exit 0 ;; esac",
            "echo got=${ip:-$new_ip_address} mask=${subnet:-$new_subnet_mask}"
                + " dns=${dns:-$new_domain_name_servers} lease=${lease:-$new_dhcp_lease_time}",
            "ip address add ${ip:-$new_ip_address}/24 dev eth0",
            "ip route add default via ${router:-$new_routers}");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  static void require() {
    Lab.requirePrograms("udhcpc", "dhclient");
  }

  /** Each gets what the pattern says, and reaches what it is to reach. */
  void shouldHave(String pattern) {
    String file = script.toString();
    assertThat(ask("udhcpc", "-i", "eth0", "-t", "60", "-T", "1", "-n", "-q", "-f", "-s", file))
        .containsPattern(pattern);
    String leases = folder.resolve("leases").toString();
    String pid = folder.resolve("dhclient.pid").toString();
    assertThat(ask("dhclient", "-4", "-1", "-d", "-lf", leases, "-pf", pid, "-sf", file, "eth0"))
        .containsPattern(pattern);
  }

  /** What a client says, from having no address to reaching the server. */
  private String ask(String... words) {
    Command.run("ip", "-n", wire.client, "address", "flush", "dev", "eth0", "scope", "global");
    try (Command client = Command.start(Command.in(wire.client, List.of(words)))) {
      reach.run();
      client.terminate();
      client.awaitExit();
      return client.output();
    }
  }
}
