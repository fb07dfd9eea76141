package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A generator, and a firewall on traffic of the same rate, that show themselves on pages. */
final class PagePrograms implements AutoCloseable {
  /** Packets a second of each. */
  static final int RATE_PPS = 20_000;

  /** Of each of the generator's frames, in memory: 128 with the check sequence. */
  static final int FRAME_BYTES = 124;

  private static final Pattern ADDRESS = Pattern.compile("dashboard: (http://\\S+)");

  private final Command firewall;
  private final Command generator;

  /** Starts both. Half of the firewall's packets come from 10.1.0.0/25. */
  PagePrograms(Path folder) {
    Path traffic = traffic(folder, RATE_PPS);
    Path rules =
        Lab.write(
            folder.resolve("page.rules"),
            "pass 10.1.0.1",
            "drop 192.0.2.0/24",
            "default pass",
            "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("firewall.properties"),
            "programname=firewall",
            "ports=in=pcap:rx=" + traffic + ",loop=forever,pace=recorded; out=pcap:tx=/dev/null",
            "rules=" + rules);
    firewall =
        Command.start(Command.linerate("firewall", config.toString(), "--dashboard=127.0.0.1:0"));
    generator =
        Command.start(
            Command.linerate(
                "generate",
                "--port=pcap:tx=/dev/null",
                "--rate=" + RATE_PPS + "pps",
                "--size=128",
                "--dashboard=127.0.0.1:0"));
  }

  /** So many packets of three sizes, half of which come from 10.1.0.0/25: a second of them. */
  static Path traffic(Path folder, int packets) {
    Path traffic = folder.resolve(packets + ".pcap");
    if (Files.exists(traffic)) {
      return traffic;
    }
    Command.run(
        Command.linerate(
                "generate",
                "--port=pcap:tx=" + traffic,
                "--rate=" + packets + "pps",
                "--packets=" + packets,
                "--size=imix",
                "--src=10.1.0.0/24",
                "--dst=10.2.0.1")
            .toArray(new String[0]));
    return traffic;
  }

  /** With the token for changes. */
  URI firewall() {
    return address(firewall);
  }

  URI generator() {
    return address(generator);
  }

  /** Where a program says that its page is. */
  static URI address(Command program) {
    program.awaitError(said -> ADDRESS.matcher(said).find());
    Matcher said = ADDRESS.matcher(program.errors());
    assertThat(said.find()).isTrue();
    return URI.create(said.group(1));
  }

  @Override
  public void close() {
    generator.close();
    firewall.close();
  }
}
