package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * UDP datagrams between two kernels, of which one has short packets and the other long ones: what
 * one kernel cut is put together here, and what was cut here is put together by that kernel.
 */
class FragmentKernelTest {
  private static final int SHORT_MTU = 1_500;
  private static final int LONG_MTU = 9_000;
  private static final String CLIENT_ADDRESS_6 = "fd77::1";
  private static final String SERVER_ADDRESS_6 = "fd77::2";

  /** Sends back what comes, until its input ends. */
  private static final String ECHO =
      """
      import socket, sys, threading
      def echo(family, address):
          s = socket.socket(family, socket.SOCK_DGRAM)
          s.bind((address, 7777))
          print('bound ' + address, file=sys.stderr, flush=True)
          while True:
              data, peer = s.recvfrom(65535)
              s.sendto(data, peer)
      threading.Thread(target=echo, args=(socket.AF_INET, sys.argv[1]), daemon=True).start()
      echo(socket.AF_INET6, sys.argv[2])
      """;

  /** Sends datagrams of several lengths, each again until it has come back. */
  private static final String CLIENT =
      """
      import os, socket, sys
      for family, address in ((socket.AF_INET, sys.argv[1]), (socket.AF_INET6, sys.argv[2])):
          s = socket.socket(family, socket.SOCK_DGRAM)
          s.settimeout(2)
          for length in (1, 1400, 1453, 1473, 2960, 5000, 8900):
              data = os.urandom(length)
              for attempt in range(10):
                  s.sendto(data, (address, 7777))
                  try:
                      if s.recv(65535) == data:
                          print('same', length)
                          break
                  except TimeoutError:
                      pass
              else:
                  print('lost', length)
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "python3", "sysctl");
  }

  @Test
  void shouldAgreeWithTheKernelAboutFragments() {
    Path echoScript = Lab.write(folder.resolve("echo.py"), ECHO);
    Path clientScript = Lab.write(folder.resolve("client.py"), CLIENT);
    try (Wire wire = new Wire(Wire.Offloads.NONE)) {
      prepare(wire);
      List<String> echo =
          List.of("python3", echoScript.toString(), Wire.SERVER_ADDRESS, SERVER_ADDRESS_6);
      try (Command server = Command.start(Command.in(wire.server, echo));
          Command relay = Command.start(Command.in(wire.middle, relay()))) {
        server.awaitError(
            text -> text.contains("bound " + Wire.SERVER_ADDRESS) && text.contains("bound fd77"));
        relay.awaitError(text -> text.contains("ready"));
        String said =
            Command.run(
                Command.in(
                        wire.client,
                        List.of(
                            "python3",
                            clientScript.toString(),
                            Wire.SERVER_ADDRESS,
                            SERVER_ADDRESS_6))
                    .toArray(String[]::new));
        relay.terminate();
        assertThat(relay.awaitExit()).as(relay.errors()).isZero();
        assertThat(said).doesNotContain("lost").contains("same 8900");
        assertThat(said.lines().filter(line -> line.startsWith("same"))).hasSize(14);
        assertThat(relay.output()).contains("conserved=true").doesNotContain("reassembled=0");
      }
      // 1453 bytes and more need two packets of 1500 over IPv6, 1473 over IPv4.
      assertThat(number(wire.client, "Ip:", "ReasmOKs")).isGreaterThanOrEqualTo(4);
      assertThat(number(wire.client, "Ip:", "FragOKs")).isGreaterThanOrEqualTo(4);
      assertThat(number(wire.server, "Ip:", "ReasmReqds")).isZero();
      assertThat(number6(wire.client, "Ip6ReasmOKs")).isGreaterThanOrEqualTo(5);
      assertThat(number6(wire.client, "Ip6FragOKs")).isGreaterThanOrEqualTo(5);
      assertThat(number6(wire.server, "Ip6ReasmReqds")).isZero();
    }
  }

  private static void prepare(Wire wire) {
    Command.run("ip", "-n", wire.client, "link", "set", "eth0", "mtu", "" + SHORT_MTU);
    Command.run("ip", "-n", wire.server, "link", "set", "eth0", "mtu", "" + LONG_MTU);
    Command.run("ip", "-n", wire.middle, "link", "set", Wire.LEFT, "mtu", "" + LONG_MTU);
    Command.run("ip", "-n", wire.middle, "link", "set", Wire.RIGHT, "mtu", "" + LONG_MTU);
    address6(wire.client, CLIENT_ADDRESS_6);
    address6(wire.server, SERVER_ADDRESS_6);
    // So that IPv4 datagrams go without DF.
    for (String host : List.of(wire.client, wire.server)) {
      Command.run("ip", "netns", "exec", host, "sysctl", "-q", "-w", "net.ipv4.ip_no_pmtu_disc=1");
    }
  }

  private static void address6(String host, String address) {
    Command.run("ip", "-n", host, "address", "add", address + "/64", "dev", "eth0", "nodad");
  }

  private static List<String> relay() {
    List<String> words = new ArrayList<>(Command.linerate());
    words.removeLast();
    words.addAll(
        List.of(
            FragmentRelay.class.getName(),
            "packet:" + Wire.LEFT,
            "packet:" + Wire.RIGHT,
            "" + SHORT_MTU));
    return words;
  }

  /** A number of /proc/net/snmp, which has a line of names and one of values for each protocol. */
  private static long number(String host, String protocol, String name) {
    List<String[]> lines =
        Command.run("ip", "netns", "exec", host, "cat", "/proc/net/snmp")
            .lines()
            .filter(line -> line.startsWith(protocol))
            .map(line -> line.split(" ", -1))
            .toList();
    return Long.parseLong(lines.get(1)[List.of(lines.get(0)).indexOf(name)]);
  }

  private static long number6(String host, String name) {
    return Command.run("ip", "netns", "exec", host, "cat", "/proc/net/snmp6")
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\S+\\s+", "")))
        .sum();
  }
}
