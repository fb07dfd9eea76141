package io.linerate.apps.flows;

import io.linerate.apps.decode.DecodeSource;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Application;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.track.ConnectionTable;
import io.linerate.track.flow.FlowSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate flows}. */
public final class FlowsCommand implements Command {
  static final String WINDOW = "--window";

  private static final int MOST_LARGEST = 100_000;

  /** Without windows they say nothing. */
  private static final List<String> OF_WINDOWS =
      List.of("--late", "--scan-ports", "--scan-hosts", "--flood-syns");

  /** With windows they say nothing. */
  private static final List<String> OF_FLOWS = List.of("--active", "--ipfix");

  @Override
  public CommandSpec spec() {
    return Options.command(
        "flows",
        """
        Tells who talks to whom: flows of packets, both directions together.

        Usage: linerate flows SOURCE [--window TIME] [--json] [--parquet FILE] [--ipfix ADDRESS] [OPTIONS]

        A flow is a line when it has ended, or a part of it at each active time-out.
        With --window each such time is told of: largest flows, hosts, names; new ones; scans, floods.

        SOURCE  A capture file, - for stdin, or a port such as packet:eth1.
        --window TIME  What traffic each TIME had, such as 1s, by the packets' times.
        --json  An object a line: a flow, in IPFIX's words, or a row of a window.
        --parquet FILE  Write them into a Parquet file; print them with --json only.
        --ipfix HOST:PORT[,tcp]  Send them to a collector, by UDP unless tcp is said; likewise.
        --active TIME  Tell of a flow that goes on after this time; 60s if left out.
        --idle TIME  End a flow after this time without packets; 15s if left out.
        --max N  Flows that each worker has open at most; 65536 if left out.
        --top N  Only the N flows with most bytes, at the end; of a window, 10.
        --late TIME  A packet may be so much older than the last of a window; 100ms.
        --scan-ports N  Ports of a host that one source tries in a window: a scan; 100.
        --scan-hosts N  Hosts that one source tries in a window: a scan; 100.
        --flood-syns N  SYNs to one port in a window, not completed: a flood; 1000.
        --packets N  Stop after N packets.
        --duration --stats --set --filter --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate flows examples/captures/mixed.pcapng
        linerate flows examples/captures/mixed.pcapng --top 10
        linerate flows traffic.pcap --json --active 30m
        linerate flows examples/captures/mixed.pcapng --window 10s --top 3
        linerate flows packet:eth1 --window 1s --json --scan-ports 50 --dashboard
        linerate flows dpdk:0000:03:00.0 --ipfix 192.0.2.1:4739 --set workers=4
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration =
        Configuration.of(Options.overrides(options), EngineConfig.DEFAULT.withProgramName("flows"));
    if (!configuration.ports().isEmpty()) {
      throw configuration.error("ports", "flows has no such key", "name the source itself");
    }
    long packets = Options.number(options, "--packets", 1, Long.MAX_VALUE, 0);
    DecodeSource source = new DecodeSource(options.matchedPositionalValue(0, ""));
    OptionalLong most = packets == 0 ? OptionalLong.empty() : OptionalLong.of(packets);
    Application application =
        options.hasMatchedOption(WINDOW)
            ? windows(options, source, most, console)
            : flows(options, source, most, console);
    return new EngineRun(
            configuration.engine(),
            Options.duration(options).or(configuration::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(application);
  }

  private static Flows flows(
      ParseResult options, DecodeSource source, OptionalLong packets, Console console) {
    refuse(options, OF_WINDOWS, "option is of windows: %s; add --window TIME, or leave it out");
    FlowsOutput.Task task = task(options);
    task.parquet().ifPresent(source::requireOther);
    return new Flows(source, packets, new FlowsOutput(task, console));
  }

  private static Windows windows(
      ParseResult options, DecodeSource source, OptionalLong packets, Console console) {
    refuse(options, OF_FLOWS, "option is of single flows: %s; leave it out, or --window");
    Optional<Path> parquet =
        Optional.ofNullable(options.<String>matchedOptionValue("--parquet", null))
            .map(PathText::parse);
    parquet.ifPresent(source::requireOther);
    boolean isJson = Options.isJson(options);
    return new Windows(
        source,
        packets,
        WindowSettings.of(options).ofRecorded(source.isRecorded()),
        new WindowsOutput(
            new WindowsOutput.Task(isJson, isJson || parquet.isEmpty(), parquet), console));
  }

  private static void refuse(ParseResult options, List<String> names, String message) {
    for (String name : names) {
      if (options.hasMatchedOption(name)) {
        throw new ConfigException(message.replace("%s", name));
      }
    }
  }

  private static FlowsOutput.Task task(ParseResult options) {
    String file = options.matchedOptionValue("--parquet", null);
    String collector = options.matchedOptionValue("--ipfix", null);
    int top = (int) Options.number(options, "--top", 1, MOST_LARGEST, 0);
    boolean isElsewhere = file != null || collector != null;
    return new FlowsOutput.Task(
        settings(options),
        Options.isJson(options) ? FlowForm.JSON : FlowForm.TEXT,
        top == 0 && (!isElsewhere || Options.isJson(options)),
        top,
        Optional.ofNullable(file).map(PathText::parse),
        Optional.ofNullable(collector).map(CollectorAddress::parse));
  }

  private static FlowSettings settings(ParseResult options) {
    FlowSettings usual = FlowSettings.DEFAULT;
    return new FlowSettings(
        mostFlows(options),
        timeout(options, "--active", usual.activeTimeout()),
        timeout(options, "--idle", usual.idleTimeout()));
  }

  static int mostFlows(ParseResult options) {
    return (int)
        Options.number(
            options,
            "--max",
            ConnectionTable.MIN_CAPACITY,
            ConnectionTable.MAX_CAPACITY,
            FlowSettings.DEFAULT.maxFlows());
  }

  static Duration timeout(ParseResult options, String name, Duration usual) {
    Duration timeout = Options.duration(options, name).orElse(usual);
    if (timeout.toSeconds() < 1 || timeout.compareTo(FlowSettings.MAX_TIMEOUT) > 0) {
      throw new ConfigException(
          "not a time-out: %s %s; 1s to %dh are allowed"
              .formatted(
                  name,
                  options.<String>matchedOptionValue(name, ""),
                  FlowSettings.MAX_TIMEOUT.toHours()));
    }
    return timeout;
  }
}
