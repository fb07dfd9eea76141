package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "captre|did you mean capture?",
        "capture|--port",
        "capture --port ring:x --packets 0|wrong value: --packets 0; 1 and more are",
        "capture --port ring:x --snaplen abc|not a number: --snaplen abc; 1 to",
        "capture --port ring:x --duration 3|--duration: not a time: 3;",
        "capture --port ring:x --set rules=x|--set: not a setting of capture: rules=x; firewall and gateway have it",
        "nat ../examples/nat.properties --set rules=x|--set: not a setting of nat: rules=x; firewall and gateway have it",
        "route ../examples/route.properties --set gateway=10.0.0.9|--set: not a setting of route: gateway=10.0.0.9; balance, gateway and nat have it",
        "firewall ../examples/firewall.properties --set rule_lines=drop|not a setting of firewall: rule_lines=drop; gateway has it",
        "firewall ../examples/firewall.properties --set forwards=|not a setting of firewall: forwards=; gateway and nat have it",
        "firewall ../examples/firewall.properties --set nat=wan|not a setting of firewall: nat=wan; gateway has it",
        "gateway ../examples/gateway.properties --set mode=direct|not a setting of gateway: mode=direct; balance has it",
        "gateway ../examples/gateway.properties --set inside=10.0.0.1/24|not a setting of gateway: inside=10.0.0.1/24; nat has it",
        "gateway ../examples/gateway.properties --set syn_proxy=|not a setting of gateway: syn_proxy=; firewall has it",
        "balance ../examples/balance.properties --set inside=10.0.0.1/24|not a setting of balance: inside=10.0.0.1/24; nat has it",
        "capture --port fabric:nonsense|not an address of a fabric",
        "fabric info extra|no such argument: text=extra; write linerate fabric info alone",
        "fabric serve fabric:shm:x more|no such argument: text=more; write linerate fabric serve and one address",
        "fabric info --sizes 4|no such option: linerate fabric info --sizes; it has --json",
        "fabric ping fabric:shm:x --once|no such option: linerate fabric ping --once; it has --sizes,",
        "fabric serve fabric:shm:x --json|no such option: linerate fabric serve --json; it has --sizes,",
        "fabric serve fabric:shm:x --chart x.png|no such option: linerate fabric serve --chart; it has --sizes,",
        "fabric nonsense|nothing to do: what=nonsense; write info, serve, ping or bandwidth",
        "capture --port fabric:shm:x,role=both|role=both",
        "capture --port fabric:shm:x,queues=0|queues=0",
        "capture --port fabric:tcp:127.0.0.1:0|no port that the other side could know: address=fabric:tcp:127.0.0.1:0; write one from 1 to 65535",
        "firewall ../examples/firewall.properties --set rules=../examples/firewall.rules --standby fabric:shm:x|no connections that a standby could take over: rules=",
        "firewall ../examples/stateful.properties --set rules=../examples/stateful.rules --set syn_proxy=in\t192.0.2.1:80 --standby fabric:shm:x|a standby cannot take over handshakes",
        "balance ../examples/balance.properties --standby nonsense|not an address of a fabric: address=nonsense; write fabric:shm:NAME",
        "balance ../examples/balance.properties --standby fabric:tcp:127.0.0.1:0|no port that the other could know: --standby fabric:tcp:127.0.0.1:0; write one from 1 to 65535",
        "capture --port nonsense|not a port address: address=nonsense;",
        "capture --port pcap:tx=/dev/null|port does not receive: address=pcap:tx=/dev/null;",
        "firewall|CONFIG.properties",
        "firewall /nonexistent|no such configuration file: file=/nonexistent;",
        "firewall /dev/null|no rules: key=rules;",
        "firewall /dev/null --set rules=/dev/null|no ports: key=ports;",
        "firewall /dev/null --set timeouts=udp=5s|no such phase (udp): timeouts=udp=5s; use one of tcp-opening,",
        "firewall /dev/null --set timeouts=other=0s|not a time-out (other=0s): timeouts=other=0s; 1s to 720h are",
        "firewall /dev/null --set timeouts=other|not a time-out (other): timeouts=other;",
        "firewall /dev/null --set timeouts=other=721h|not a time-out (other=721h):",
        "firewall /dev/null --set timeouts=other=1s,other=2s|phase stands twice (other): timeouts=",
        "firewall /dev/zero|configuration file is too long: file=/dev/zero,",
        "nat /dev/null|ports have other names than inside and outside ([]): key=ports; write ports=inside=ADDRESS; outside=ADDRESS",
        "nat /dev/null --set ports=inside=pcap:tx=/dev/null;outside=pcap:tx=/dev/null|no address: key=outside; write outside=ADDRESS/BITS",
        "nat /dev/null --set outside=192.0.2.2|wrong value: outside=192.0.2.2; addresses with the lengths of their prefixes are allowed, one of IPv4 at most",
        "nat /dev/null --set inside=10.0.0.1/24\t10.0.0.2/24|wrong value: inside=10.0.0.1/24?10.0.0.2/24; addresses with the lengths",
        "nat /dev/null --set gateway=192.0.2.1\t192.0.2.7|wrong value: gateway=192.0.2.1?192.0.2.7; the address of a router is allowed, or one of IPv4 and one of IPv6",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=10.0.0.1/24 --set outside=192.0.2.2/24 --set gateway=2001:db8::9|no link has this router: gateway=2001:db8::9; write an address of outside 192.0.2.2/24",
        "nat /dev/null --set nat64=64:ff9b::/95|not a prefix for addresses of IPv4: nat64=64:ff9b::/95; 64:ff9b::/96 or another one of 32, 40,",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=10.0.0.1/24 --set outside=192.0.2.2/24 --set nat64=64:ff9b::/96|no address of IPv6 (10.0.0.1/24): inside=10.0.0.1/24; write inside=ADDRESS/BITS with one",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=fd00::1/64 --set outside=192.0.2.2/24 --set nat64=64:ff9b::/96 --set mtu=1279|links do not take IPv6: mtu=1279; write 1280 or more",
        "nat /dev/null --set npt=fd00::/48|not two prefixes (fd00::/48): npt=fd00::/48; prefixes of 1 to 64 bits are allowed",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=fd00::1/64 --set outside=192.0.2.2/24|no address of IPv4 (fd00::1/64): inside=fd00::1/64; write inside=ADDRESS/BITS with one",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=fd00::1/64 --set outside=2001:db8::2/64 --set npt=fd00::/48\t2001:db8:1::/48;fd00:0:0:1::/64\t2001:db8:2::/64|prefixes overlap (prefixes=fd00::/48 2001:db8:1::/48, fd00:0:0:1::/64 2001:db8:2::/64): npt=",
        "nat /dev/null --set forwards=tcp|not a forward (tcp): forwards=tcp; tcp OUTSIDE:PORT INSIDE:PORT",
        "nat /dev/null --set filtering=all|no such filtering: filtering=all; use one of endpoint-independent,",
        "nat /dev/null --set dhcp=10.0.0.2|wrong value: dhcp=10.0.0.2; write two addresses with - between them",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=10.0.0.1/24 --set outside=192.0.2.2/24 --set dhcp=10.0.0.1-10.0.0.9|wrong range of addresses (address=10.0.0.1/24, first=10.0.0.1, last=10.0.0.9): dhcp=10.0.0.1-10.0.0.9; write",
        "nat /dev/null --set ports=inside=ring:a;outside=ring:b --set inside=10.0.0.1/24 --set outside=192.0.2.2/24 --set dhcp=10.0.0.5-10.0.0.9 --set dhcp_dns=300.1.1.1|dns: not an IPv4 address (text=300.1.1.1): dhcp_dns=300.1.1.1; write",
        "nat /dev/null --set dhcp_lease=0|value is out of range: dhcp_lease=0; write 1 to 525600, in minutes",
        "nat /dev/null --set pool_ports=9-1|no range of ports: pool_ports=9-1;",
        "balance /dev/null|ports have other names than client and server ([])",
        "balance /dev/null --set ports=client=pcap:tx=/dev/null;server=pcap:tx=/dev/null|no services: key=services;",
        "balance /dev/null --set services=x|: wrong value: services=x; not a service: text=x; write tcp 192.0.2.80:80 ->",
        "balance /dev/null --set services=tcp\t192.0.2.80:80\t->\t10.0.0.1:80\tweight\t200|; no such weight: weight=200; write 0 to 100",
        "balance /dev/null --set services=tcp\t192.0.2.80:80\t->\t10.0.0.1:0|; no such port: port=0; write 1 to 65535",
        "balance /dev/null --set check_path=x|wrong value: check_path=x; write a path that begins with /",
        "nat /dev/null --set pool=x|wrong value: pool=x; write addresses with commas between them",
        "nat /dev/null --set macs=x|not the Ethernet address of a port, or there twice (x): macs=x; write addresses such as",
        "gateway /dev/null --set nat=a;b|wrong value: nat=a;b; write the name of a link, such as wan",
        "gateway /dev/null --set rule_lines=|no rules: rule_lines=; write rules with ; between them",
        "balance /dev/null --set check=udp|no such health check: check=udp; use one of none, icmp, tcp, http",
        "balance /dev/null --set check_interval=1us|wrong time: check_interval=1us; 10ms to 1h are allowed",
        "route /dev/null|no links: key=links; write links=NAME ADDRESS/BITS; ...",
        "route /dev/null --set links=lan|not a link (lan): links=lan; NAME ADDRESS/BITS",
        "route /dev/null --set links=lan\t10.0.0.1|address without a prefix: link=lan, address=10.0.0.1;",
        "route /dev/null --set links=lan\t10.0.0.1/24|links and ports have different names (links [lan], ports []): links=lan",
        "firewall /dev/null --set syn_proxy=wan|no servers, or a port twice (wan): syn_proxy=wan; PORT SERVERS... is allowed",
        "firewall /dev/null --set syn_proxy=wan\t10.0.0.1|PORT ADDRESS[/BITS]:PORT[-PORT]... is allowed, such as wan 192.0.2.1:80",
        "gateway /dev/null|no links: key=links; write links=NAME ADDRESS/BITS; ...",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set nat=c|no link of this name with an address of IPv4: nat=c; write one of [a, b]",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set dhcp=10.1.0.1-10.1.0.2|no link has this network (10.1.0.1): dhcp=10.1.0.1-10.1.0.2; write",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set rules=x --set rule_lines=drop|there is a file of rules, too: rule_lines=drop; write one",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set rule_lines=drop\tin\tc|rule_lines:1: no such port",
        "firewall ../examples/firewall.rules|firewall.rules:10: not a setting: pass=10.1.0.1; is this a rules file? name it by rules=FILE in a properties file",
        "gateway ../examples/stateful.rules|stateful.rules:3: not a setting: set=clients = 10.1.0.0/24, fd00:1::/64; is this a rules file?",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set nat=b --set pool=192.0.2|outside: not an IPv4 address (text=192.0.2): pool=192.0.2; write four numbers",
        "route /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t10.0.0.2/24|network is on two links (network=10.0.0.0/24, links=a, b): links=a?10.0.0.1/24;b?10.0.0.2/24; give each a network of its own",
        "gateway /dev/null --set ports=a=ring:a;b=ring:b --set links=a\t10.0.0.1/24;b\t192.0.2.2/24 --set gateway=10.9.0.1|no link has this router: gateway=10.9.0.1; write an address of a 10.0.0.1/24; b 192.0.2.2/24",
        "route /dev/null --set reverse_path=on|no such check of sources: reverse_path=on; use one of off, loose, strict",
        "firewall /dev/null --set rules=/dev/zero|rules file is too long: file=/dev/zero,",
        "doctor --colour|--colour",
      })
  void shouldSayInOneSentenceWhatTheUserMustChange(String arguments, String message) {
    Run run = Run.of((Object[]) arguments.split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("linerate: ").contains(message).hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "capture --port ring:x --write",
        "firewall",
        "generate --config",
        "generate --port ring:x --plan",
        "measure --throughput --tx ring:x --rx ring:x --chart"
      })
  void shouldRefuseWhatNoFileCanBeCalled(String arguments) {
    Run run = Run.of((Object[]) (arguments + " a\0b.png").split(" ", -1));
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("linerate: not the path of a file: path=a").hasLineCount(1);
  }

  private static List<String> commands() {
    return Run.of("--help")
        .out()
        .lines()
        .dropWhile(line -> !line.equals("Commands:"))
        .filter(line -> line.matches("  [a-z]+  .*"))
        .map(line -> line.strip().split(" ", 2)[0])
        .toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldHelpOnOneScreenWithExamplesAndTheSameExitStatus(String command) {
    Run run = Run.of(command, "--help");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("Usage: linerate " + command, "Examples:", "  linerate " + command)
        .contains("Exit status: 0 done, 1 failed, 2 wrong options or configuration.");
    assertThat(run.out().lines())
        .hasSizeLessThanOrEqualTo(40)
        .allMatch(line -> line.length() <= 100);
    Run wrong = Run.of(command, "--no-such-option");
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).startsWith("linerate: ").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stats nobody",
        "ctl nobody rules",
        "ctl --url http://127.0.0.1:1/ rules",
        "top",
        "capture --port packet:nosuch",
        "doctor --port packet:nosuch"
      })
  void shouldFailWithAnotherStatusWhenWhatIsAskedForCannotBeDone(String arguments) {
    Run run = Run.of((Object[]) arguments.split(" ", -1));
    assertThat(run.status()).as(run.err()).isEqualTo(1);
  }

  @Test
  void shouldNotFloodTheTerminalWithWhatIsInAWrongFile(@TempDir Path folder) throws Exception {
    String line = "\u001B[2J\u0007" + "x".repeat(5_000) + "\n";
    Path rules = Files.writeString(folder.resolve("rules"), line.repeat(100));
    Run run = Run.of("firewall", "/dev/null", "--set", "rules=" + rules);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(21).allMatch(it -> it.length() < 1_100);
    assertThat(run.err()).doesNotContain("\u001B", "\u0007").endsWith("and 80 more like these\n");
  }

  @Test
  void shouldNameTheFileOfRulesThatStandInASetting(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("gateway.properties"),
            """
            ports=a=ring:a; b=ring:b
            links=a 10.0.0.1/24; b 192.0.2.2/24
            rule_lines=\\
              pass in a;\\
              drop frm 10.0.0.1;\\
              accept tcp
            """);
    assertThat(Run.of("gateway", file.toString()).err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(file + ":3: rule_lines:2: not a condition: word=frm; did you mean"),
            line -> assertThat(line).contains(file + ":3: rule_lines:3: not a rule: line=accept"));
    Run check =
        Run.of("gateway", "--check", file.toString(), "--set", "rule_lines=pass tcp; drop tcp");
    assertThat(check.out()).startsWith("--set: rule_lines:2: never decides: rule=drop tcp; line 1");
  }

  @Test
  void shouldHaveConnectionsInItsExampleOfAStandby() throws Exception {
    String example =
        Run.of("firewall", "--help")
            .out()
            .lines()
            .filter(line -> line.contains(" --standby fabric:"))
            .findFirst()
            .orElseThrow();
    String configuration =
        Files.readString(Path.of("..", example.replaceAll(".* (examples/\\S+) .*", "$1")));
    String rules =
        configuration.lines().filter(line -> line.startsWith("rules=")).findFirst().orElseThrow();
    assertThat(Files.readString(Path.of("..", rules.substring("rules=".length()))))
        .contains("state new");
  }

  @Test
  void shouldListItsCommands() {
    assertThat(Run.of("--help").out()).contains("capture", "firewall", "doctor");
    assertThat(Run.of().status()).isEqualTo(2);
    assertThat(Run.of("--version").out()).startsWith("linerate 0.");
  }

  @Test
  void shouldExamineTheMachineAndSayWhatMattersFirst() {
    Run run = Run.of("doctor", "--json");
    assertThat(run.status()).isZero();
    List<String> order = new ArrayList<>();
    for (JsonElement check : run.json().getAsJsonArray("checks")) {
      JsonObject finding = check.getAsJsonObject();
      assertThat(finding.keySet()).containsExactly("status", "name", "value", "remedy");
      order.add(finding.get("status").getAsString());
      assertThat(finding.get("remedy").getAsString().isEmpty())
          .isEqualTo(order.getLast().equals("ok"));
    }
    List<String> ranks = List.of("wrong", "missing", "ok");
    assertThat(order).isSortedAccordingTo(Comparator.comparingInt(ranks::indexOf));
    Run text = Run.of("doctor");
    assertThat(text.out().lines().findFirst().orElseThrow())
        .matches("\\d+ wrong, \\d+ missing, \\d+ ok(; linerate doctor --fix mends: .+)?");
    assertThat(text.out()).contains("JDK", "hugepages", "CAP_NET_RAW", "interface lo", "libpcap");
    assertThat(Run.of("doctor", "--yes").status()).isEqualTo(2);
  }
}
