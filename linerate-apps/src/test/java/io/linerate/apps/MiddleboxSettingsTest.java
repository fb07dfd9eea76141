package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What middleboxes refuse before they open ports, in the examples with one more setting. */
class MiddleboxSettingsTest {
  @TempDir Path folder;

  private static Path example(String program) {
    return Path.of("..", "examples", program + ".properties");
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
        "nat|macs=02:00:5e:10:00:0a,02:00:5E:10:00:0A|not the Ethernet address of a port, or there twice (02:00:5E:10:00:0A): macs=02:00:5e:10:00:0a,02:00:5E:10:00:0A; addresses such as",
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
    Run run = Run.of(program, example(program), "--set", setting);
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).startsWith("linerate: ").contains(message).hasLineCount(1);
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
