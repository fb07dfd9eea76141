package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A TCP connection through a firewall, one of whose interfaces is set down and up, or deleted and
 * made again, again and again: the program lives, the connection goes on, every packet is accounted
 * for.
 */
class LinkEventsTest {
  private static final String MAC = "02:00:5e:00:53:07";

  /** Sends back what it gets, to one client. */
  private static final String SERVER =
      """
      import socket
      peer, _ = socket.create_server(('%s', 7007)).accept()
      while data := peer.recv(1 << 16):
          peer.sendall(data)
      """
          .formatted(Wire.SERVER_ADDRESS);

  /** Answers each line of its standard input when a number has gone to the server and back. */
  private static final String CLIENT =
      """
      import socket, sys, time
      for attempt in range(100):
          try:
              peer = socket.create_connection(('%s', 7007), timeout=1)
              break
          except OSError:
              time.sleep(0.1)
      peer.settimeout(150)
      for line in sys.stdin:
          data = line.strip().encode().rjust(8)
          peer.sendall(data)
          back = b''
          while len(back) < len(data):
              back += peer.recv(len(data) - len(back))
          print('back', back.decode().strip(), file=sys.stderr, flush=True)
      """
          .formatted(Wire.SERVER_ADDRESS);

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "python3");
  }

  @ParameterizedTest
  @CsvSource({
    "'packet:left', packet:right, true",
    "'packet:left,reopen=on', packet:right, false",
    "'xdp:left', packet:right, true",
    "'xdp:left,reopen=on', xdp:right, false",
  })
  @Tag("sampled")
  void shouldCarryAConnectionWhateverBecomesOfAnInterface(
      String left, String right, boolean isSetDown) {
    int times = Soak.times(3, 100);
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      ip(wire.client, "link", "set", "eth0", "address", MAC);
      try (Command firewall = startFirewall(wire, left, right);
          Command _ = Command.start(Command.in(wire.server, List.of("python3", "-c", SERVER)));
          Command client =
              Command.start(Command.in(wire.client, List.of("python3", "-c", CLIENT)))) {
        for (int time = 0; time <= times; time++) {
          String line = Integer.toString(time);
          client.say(line);
          client.awaitError(text -> text.endsWith("back " + line + "\n"));
          if (time < times) {
            change(wire, firewall, isSetDown, time + 1);
          }
        }
        firewall.terminate();
        assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
        Summary summary = new Summary(firewall.output());
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.sent()).as(summary.json()).isGreaterThan(2L * times);
      }
    }
  }

  /**
   * Takes the interface away, and gives it back when the program has noticed; then it has to again.
   */
  private static void change(Wire wire, Command firewall, boolean isSetDown, int time) {
    if (isSetDown) {
      ip(wire.middle, "link", "set", Wire.LEFT, "down");
    } else {
      ip(wire.middle, "link", "delete", Wire.LEFT);
    }
    firewall.awaitError(text -> count(text, "link is down, ") == time);
    if (isSetDown) {
      ip(wire.middle, "link", "set", Wire.LEFT, "up");
    } else {
      wire.joinClient();
      ip(wire.client, "link", "set", "eth0", "address", MAC);
    }
    firewall.awaitError(text -> count(text, "link is up: ") == time);
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  private static void ip(String namespace, String... words) {
    List<String> all = new ArrayList<>(List.of("ip", "-n", namespace));
    all.addAll(List.of(words));
    Command.run(all.toArray(new String[0]));
  }

  private Command startFirewall(Wire wire, String left, String right) {
    Path rules = Lab.write(folder.resolve("rules"), "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("firewall.properties"),
            "ports=left=" + left + "; right=" + right,
            "rules=" + rules);
    Command firewall =
        Command.start(
            Command.in(
                wire.middle,
                Command.linerate("firewall", config.toString(), "--json", "--stats", "200ms")));
    firewall.awaitError(text -> text.contains("received"));
    return firewall;
  }
}
