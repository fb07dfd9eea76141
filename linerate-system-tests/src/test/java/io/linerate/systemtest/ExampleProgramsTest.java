package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of {@code examples/} between real hosts, which leave to hardware what hosts do. */
class ExampleProgramsTest {
  private static final int FILE_BYTES = 8 << 20;
  private static final long PATIENCE_NS = 180_000_000_000L;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() throws Exception {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "python3", "ping", "curl");
    byte[] bytes = new byte[FILE_BYTES];
    new Random(7).nextBytes(bytes);
    Files.write(folder.resolve("file"), bytes);
  }

  @Test
  void shouldRoute() throws Exception {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, "10.77.1.1", "10.77.1.254", "fd77:1::1", "fd77:1::fe");
      Wire.addresses(wire.server, "10.77.2.2", "10.77.2.254", "fd77:2::2", "fd77:2::fe");
      try (Command router = example(wire, "Router");
          Command server = webServer(wire.server)) {
        awaitAnswer(wire.client, "10.77.2.2");
        awaitAnswer(wire.server, "fd77:1::1");
        for (String near : List.of("10.77.1.254", "fd77:1::fe")) {
          assertThat(ping(wire.client, "-c 1 " + near)).contains(" 0% packet loss");
        }
        for (String far : List.of("10.77.2.2", "fd77:2::2")) {
          assertThat(ping(wire.client, "-c 1 -t 1 " + far)).contains("exceeded");
        }
        assertThat(ping(wire.client, "-c 1 -W 9 10.77.2.99")).contains("Unreachable");
        assertThat(ping(wire.client, "-c 1 -W 9 fd77:2::99")).contains("unreachable");
        requireFile(wire.client, "10.77.2.2");
        requireFile(wire.client, "[fd77:2::2]");
        requireGoodEnd(router);
        assertThat(server.errors()).contains("10.77.1.1", "fd77:1::1");
      }
    }
  }

  @Test
  void shouldTranslate() throws Exception {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, "10.77.1.1", "10.77.1.254", "fd77:1::1", "fd77:1::fe");
      Wire.addresses(wire.server, "192.0.2.2", "192.0.2.254", "fd77:2::2", "fd77:2::fe");
      try (Command translator = example(wire, "Translator");
          Command outside = webServer(wire.server);
          Command inside = webServer(wire.client)) {
        awaitAnswer(wire.client, "192.0.2.2");
        awaitAnswer(wire.server, "198.51.100.1");
        requireFile(wire.client, "192.0.2.2");
        requireFile(wire.server, "198.51.100.1");
        requireGoodEnd(translator);
        assertThat(outside.errors()).contains("198.51.100.1").doesNotContain("10.77.1.1");
        assertThat(inside.errors()).contains("192.0.2.2");
      }
    }
  }

  private static Command example(Wire wire, String name) {
    return Command.start(
        Command.in(
            wire.middle, Command.example(name, "packet:" + Wire.LEFT, "packet:" + Wire.RIGHT)));
  }

  /** Serves the folder, and says who asks. */
  private Command webServer(String host) {
    return Command.start(
        Command.in(
            host,
            List.of(
                "python3",
                "-m",
                "http.server",
                "8000",
                "--bind",
                "::",
                "--directory",
                folder.toString())));
  }

  private static String ping(String host, String words) {
    return Command.run(
        Command.in(host, List.of("sh", "-c", "ping " + words + " || true")).toArray(String[]::new));
  }

  /** The program needs its time to start. */
  private static void awaitAnswer(String host, String address) {
    long endNs = System.nanoTime() + PATIENCE_NS;
    while (!ping(host, "-c 1 -W 1 " + address).contains(" 0% packet loss")) {
      assertThat(System.nanoTime()).as("no answer of " + address).isLessThan(endNs);
    }
  }

  private void requireFile(String host, String address) throws Exception {
    Path got = folder.resolve("got");
    String url = "http://" + address + ":8000/file";
    List<String> words =
        List.of(
            "curl -sS -m 120 --retry 60 --retry-connrefused --retry-delay 1 -o %s %s"
                .formatted(got, url)
                .split(" ", -1));
    Command.run(Command.in(host, words).toArray(String[]::new));
    assertThat(Files.mismatch(got, folder.resolve("file"))).isEqualTo(-1);
    Files.delete(got);
  }

  private static void requireGoodEnd(Command program) {
    program.terminate();
    assertThat(program.awaitExit()).as(program.errors()).isZero();
    assertThat(program.output()).doesNotContain("handler_error", "tx_error", "tx_too_long");
  }
}
