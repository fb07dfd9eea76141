package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What middleboxes refuse before they open ports, in the examples with one more setting. */
class MiddleboxSettingsTest {
  @TempDir Path folder;

  private static Path example(String name) {
    return Path.of("..", "examples", name + ".properties");
  }

  /** An example with more arguments; it names other files from above. */
  private static Run run(String name, Object... arguments) {
    String program =
        Map.of("nat64", "nat", "npt", "nat", "stateful", "firewall").getOrDefault(name, name);
    List<Object> all = new ArrayList<>(List.of(program, example(name)));
    if (program.equals("firewall")) {
      all.addAll(List.of("--set", "rules=../examples/" + name + ".rules"));
    } else if (program.equals("route")) {
      all.addAll(List.of("--set", "routes=../examples/route.routes"));
    }
    all.addAll(List.of(arguments));
    return Run.of(all.toArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nat|gateway=172.16.0.1|no link has this router: gateway=172.16.0.1; write an address of outside 192.0.2.2/24",
        "nat|gateway=10.0.0.9|no link has this router: gateway=10.0.0.9; write an address of outside 192.0.2.2/24",
        "nat|gateway=192.0.2.2|next hop is no other host (prefix=0.0.0.0/0, via=192.0.2.2, dev=outside): gateway=192.0.2.2; write another of [192.0.2.2/24]",
        "balance|gateway=172.31.1.1|no link has this router: gateway=172.31.1.1; write an address of client 192.0.2.2/24",
        "gateway|gateway=192.0.2.255|next hop is no other host (prefix=0.0.0.0/0, via=192.0.2.255, dev=wan): gateway=192.0.2.255; write another of",
        "nat|ports=inside=packet:eth1;outside=packet:eth1|two ports are one device (inside, outside): ports=inside=packet:eth1;outside=packet:eth1; give each link a device of its own",
        "route|ports=lan=xdp:eth1,spread=2;wan=xdp:eth1|two ports are one device (lan, wan): ports=",
        "firewall|ports=a=packet:eth1;b=packet:eth1|two ports are one device (a, b): ports=",
        "balance|server=192.0.2.3/24|network is on two links (network=192.0.2.0/24, links=client, server): server=192.0.2.3/24; give each a network of its own",
        "nat|inside=192.0.2.7/24|network is on two links (network=192.0.2.0/24, links=inside, outside): ",
        "balance|client=192.0.2.0/24|address is no host's (link=client, address=192.0.2.0/24): client=192.0.2.0/24; write one of a host",
        "balance|server=10.0.0.255/24|address is no host's (link=server, address=10.0.0.255/24): server=10.0.0.255/24; write",
        "nat|inside=10.0.0.0/24|address is no host's (link=inside, address=10.0.0.0/24): inside=10.0.0.0/24; write",
        "route|links=lan 10.0.0.255/24; wan 192.0.2.2/24|not a link (lan 10.0.0.255/24: address is no host's: link=lan",
        "balance|services=tcp 192.0.2.80:80 -> 172.16.0.1:80|backend is no other host of its link (backend=172.16.0.1:80, link=server): services=tcp 192.0.2.80:80 -> 172.16.0.1:80; write one of 10.0.0.1/24",
        "balance|services=tcp 192.0.2.80:80 -> 10.0.0.1:80|backend is no other host of its link (backend=10.0.0.1:80, link=server)",
        "balance|services=udp 192.0.2.80:53 -> 10.0.0.11:53|servers of UDP are asked by TCP (service=udp 192.0.2.80:53, check=http): services=udp 192.0.2.80:53 -> 10.0.0.11:53; write check=icmp, or a service of TCP",
        "balance|services=tcp 192.0.2.80:53 -> 10.0.0.11:53; udp 192.0.2.80:53 -> 10.0.0.11:53, 10.0.0.12:53|servers of UDP are asked by TCP (service=udp 192.0.2.80:53, check=http)",
        "nat|macs=02:00:5e:10:00:0a,02:00:5E:10:00:0A|not the Ethernet address of a port, or there twice (02:00:5E:10:00:0A): macs=02:00:5e:10:00:0a,02:00:5E:10:00:0A; write addresses such as",
        "nat|macs=03:00:5e:10:00:01|not the Ethernet address of a port, or there twice (03:00:5e:10:00:01): macs=",
        "nat|forwards=tcp 192.0.2.99:80 10.0.0.5:80|forward of an address that is not outside (forward=tcp 192.0.2.99:80 10.0.0.5:80): forwards=tcp 192.0.2.99:80 10.0.0.5:80; write one of [192.0.2.2]",
        "gateway|forwards=tcp 192.0.2.99:80 10.0.0.5:80|forward of an address that is not outside (forward=tcp 192.0.2.99:80 10.0.0.5:80): forwards=",
        "nat|forwards=tcp 192.0.2.2:80 10.0.0.5:80; tcp 192.0.2.2:80 10.0.0.6:80|port is forwarded twice (forward=tcp 192.0.2.2:80 10.0.0.6:80): forwards=",
        "nat|forwards=tcp 192.0.2.2:80 10.0.1.5:80|forward leads to no host of a link inside (tcp 192.0.2.2:80 10.0.1.5:80): forwards=tcp 192.0.2.2:80 10.0.1.5:80; write one of inside 10.0.0.1/24",
        "gateway|forwards=tcp 192.0.2.2:80 192.0.2.9:80|forward leads outside (tcp 192.0.2.2:80 192.0.2.9:80): forwards=",
        "gateway|forwards=tcp 192.0.2.2:80 10.0.0.1:80|forward leads to no host of a link inside (tcp 192.0.2.2:80 10.0.0.1:80): forwards=",
        "gateway|pool=172.16.9.9|forward of an address that is not outside (forward=tcp 192.0.2.2:8080 10.0.0.5:80): forwards=tcp 192.0.2.2:8080 10.0.0.5:80; write one of [172.16.9.9]",
        "nat|pool=192.0.2.2,192.0.2.2|outside address stands twice (address=192.0.2.2): pool=192.0.2.2,192.0.2.2; write it once",
        "nat|workers=65|number out of range (workers=65): workers=65; write 1 to 64",
        "gateway|dhcp=10.0.0.9-10.0.0.5|wrong range of addresses (address=10.0.0.1/24, first=10.0.0.9, last=10.0.0.5): dhcp=10.0.0.9-10.0.0.5; write 1 to 65536 addresses of",
        "nat|dhcp_dns=192.0.2.1,192.0.2.3,192.0.2.4,192.0.2.5|too many servers of names (dns=[192.0.2.1, 192.0.2.3, 192.0.2.4, 192.0.2.5]): dhcp_dns=192.0.2.1,192.0.2.3,192.0.2.4,192.0.2.5; write 3 at most",
      })
  void shouldRefuseWhatDoesNotGoTogether(String program, String setting, String message) {
    Run run = run(program, "--set", setting);
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).startsWith("linerate: ").contains(message).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nat", "nat64", "npt", "balance", "route", "gateway", "firewall", "stateful"})
  void shouldCheckTheExamples(String name) {
    Run run = run(name, "--check", "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    boolean hasRules = List.of("gateway", "firewall", "stateful").contains(name);
    assertThat(run.number(hasRules ? "rules" : "elements")).isPositive();
    assertThat(run(name, "--check").status()).isZero();
  }

  @Test
  void shouldCheckWithoutThePortsOfTheHost() {
    String ports = "ports=lan=packet:none1;wan=packet:none2;lan-host=tap:lan";
    Run run = run("route", "--check", "--set", ports);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).matches("nothing is wrong: elements=\\d+\n");
  }

  /** As it runs without rules. */
  @Test
  void shouldWarnOfAGatewayWithoutRules() throws IOException {
    String text = Files.readString(example("gateway"));
    String without = text.replaceFirst("(?s)rule_lines=.*default drop\n", "");
    Run run = Run.of("gateway", Files.writeString(folder.resolve("g"), without), "--check");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("nothing is wrong: ");
    assertThat(run.err()).contains("no rules: all that finds a route passes").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gateway|nat=lan|forward of an address that is not outside",
        "gateway|forwards=tcp 192.0.2.99:80 10.0.0.5:80|forward of an address that is not outside",
        "gateway|pool=172.16.9.9|forward of an address that is not outside",
        "firewall|ports=a=ring:a;b=ring:b;c=ring:c|odd number of ports (3)",
        "firewall|syn_proxy=dmz 192.0.2.1:80|no such port, or it does not receive (dmz): syn_proxy=dmz 192.0.2.1:80; write one of [in, out]",
        "nat|gateway=172.16.0.1|no link has this router",
        "balance|services=tcp 192.0.2.80:80 -> 172.16.0.1:80|backend is no other host of its link",
        "route|links=lan 10.0.0.1/24; dmz 192.0.2.2/24|links and ports have different names",
      })
  void shouldFindMistakesWithoutRunning(String program, String setting, String message) {
    Run run = run(program, "--check", "--set", setting);
    assertThat(run.status()).as(run.out()).isEqualTo(2);
    assertThat(run.err()).contains(message).hasLineCount(1);
  }

  @Test
  void shouldSayWhereItStands() throws IOException {
    String text = Files.readString(example("nat")).replace("10.0.0.5:80", "10.1.0.5:80");
    Path file = Files.writeString(folder.resolve("n.properties"), text);
    int line = text.lines().toList().indexOf("forwards=tcp 192.0.2.2:8080 10.1.0.5:80") + 1;
    assertThat(Run.of("nat", file).err())
        .startsWith(
            "linerate: " + file + ":" + line + ": forward leads to no host of a link inside");
  }

  @Test
  void shouldHaveOneDefaultRoute() throws IOException {
    Path routes = Files.writeString(folder.resolve("r"), "default via 192.0.2.9\n");
    Run run = Run.of("gateway", example("gateway"), "--set", "routes=" + routes);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .endsWith(": routes has a default, too: gateway=192.0.2.1; write one of them\n");
  }
}
