package io.linerate.apps.capture;

import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate capture}. */
public final class CaptureCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "capture",
        """
        Receives packets, counts them by size and protocol, and drops them.

        Usage: linerate capture --port ADDRESS... [--write FILE] [OPTIONS]

        It ends when its files are used up, after the packets or the time asked for, or when interrupted.

        --port ADDRESS...  Ports to receive from, such as packet:eth1 or pcap:rx=FILE.
        --write FILE  Write the packets to a pcapng file, or pcap if its name ends so.
        --snaplen N  Write the first N bytes of each packet only.
        --packets N  Stop after N packets.
        --duration --stats --set --filter --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate capture --port pcap:rx=examples/captures/mixed.pcapng
        linerate capture --port dpdk:0000:03:00.0 --write out.pcapng --duration 10s --stats 1s
        linerate capture --port dpdk:net_null0,size=64 --packets 1000000 --json
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration =
        Configuration.of(
            Options.overrides(options), EngineConfig.DEFAULT.withProgramName("capture"));
    if (!configuration.ports().isEmpty()) {
      throw configuration.error("ports", "capture has no such key", "use --port ADDRESS");
    }
    Capture capture = new Capture(task(options), Options.isJson(options), console);
    return new EngineRun(
            configuration.engine(),
            Options.duration(options, "--duration").or(configuration::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(capture);
  }

  private static Capture.Task task(ParseResult options) {
    String file = options.matchedOptionValue("--write", null);
    long packets = Options.number(options, "--packets", 1, Long.MAX_VALUE, 0);
    return new Capture.Task(
        options.matchedOptionValue("--port", List.of()),
        file == null ? null : PathText.parse(file),
        (int) Options.number(options, "--snaplen", 1, CaptureWriter.MAX_SNAP_LENGTH_BYTES, 0),
        packets == 0 ? OptionalLong.empty() : OptionalLong.of(packets));
  }
}
