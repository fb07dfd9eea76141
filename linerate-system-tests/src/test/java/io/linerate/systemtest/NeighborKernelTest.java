package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two kernels on two links, and a router between them that is a graph: they find each other by ARP
 * and neighbor discovery, whether one worker does it or two with the queues of a fanout, of which
 * one gets the answer that the other waits for.
 */
class NeighborKernelTest {
  /** Sends back what comes, until it is ended. */
  private static final String ECHO =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
      s.bind(('::', 7777))
      print('bound', file=sys.stderr, flush=True)
      while True:
          data, peer = s.recvfrom(65535)
          s.sendto(data, peer)
      """;

  /** Sends a few datagrams to each host, and says what has come back. */
  private static final String CLIENT =
      """
      import socket, sys
      for address in sys.argv[1:]:
          six = ':' in address
          s = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
          # IPV6_RECVERR, IP_RECVERR: errors of ICMP become errors of the socket.
          s.setsockopt(41 if six else 0, 25 if six else 11, 1)
          s.settimeout(120)
          s.connect((address, 7777))
          for i in range(9):
              s.send(b'datagram %d' % i)
          try:
              print(address, [s.recv(100) for i in range(9)] ==
                             [b'datagram %d' % i for i in range(9)])
          except OSError as e:
              print(address, e.strerror)
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "python3");
  }

  static IntStream workers() {
    return IntStream.of(1, 2).skip(Soak.times(1, 0));
  }

  @ParameterizedTest
  @MethodSource("workers")
  @Tag("sampled")
  void shouldFindKernelsAndBeFound(int workers) {
    Path echo = Lab.write(folder.resolve("echo.py"), ECHO);
    Path client = Lab.write(folder.resolve("client.py"), CLIENT);
    try (Wire wire = new Wire(Wire.Offloads.NONE)) {
      Wire.addresses(wire.client, "10.77.1.1", "10.77.1.254", "fd77:1::1", "fd77:1::fe");
      Wire.addresses(wire.server, "10.77.2.2", "10.77.2.254", "fd77:2::2", "fd77:2::fe");
      try (Command server =
              Command.start(Command.in(wire.server, List.of("python3", echo.toString())));
          Command router = Command.start(Command.in(wire.middle, router(workers)))) {
        server.awaitError(text -> text.contains("bound"));
        router.awaitError(text -> text.contains("ready"));
        String said =
            Command.run(
                Command.in(
                        wire.client,
                        List.of(
                            "python3",
                            client.toString(),
                            "10.77.2.2",
                            "fd77:2::2",
                            "10.77.2.99",
                            "fd77:2::99"))
                    .toArray(String[]::new));
        assertThat(said.lines())
            .containsExactly(
                "10.77.2.2 True",
                "fd77:2::2 True",
                "10.77.2.99 No route to host",
                "fd77:2::99 No route to host");
        for (String host : List.of(wire.client, wire.server)) {
          assertThat(Command.run("ip", "-n", host, "neighbor").lines())
              .as("as the kernel sees it")
              .anyMatch(line -> line.matches("10\\.77\\.[12]\\.254 .*02:00:5e:00:53:0[12] .*"))
              .anyMatch(line -> line.matches("fd77:[12]::fe .*02:00:5e:00:53:0[12] .*"));
        }
        router.terminate();
        assertThat(router.awaitExit()).as(router.errors()).isZero();
        assertThat(router.output())
            .contains("conserved=true")
            .contains("10.77.1.1 " + mac(wire.client), "fd77:1::1 " + mac(wire.client))
            .contains("10.77.2.2 " + mac(wire.server), "fd77:2::2 " + mac(wire.server));
      }
    }
  }

  private static List<String> router(int workers) {
    String queues = ",queues=" + workers;
    return Command.java(
        NeighborRouter.class,
        "packet:" + Wire.LEFT + queues,
        "packet:" + Wire.RIGHT + queues,
        "" + workers);
  }

  private static String mac(String host) {
    return Command.run("ip", "netns", "exec", host, "cat", "/sys/class/net/eth0/address").strip();
  }
}
