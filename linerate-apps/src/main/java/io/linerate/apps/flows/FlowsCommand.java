package io.linerate.apps.flows;

import io.linerate.apps.decode.DecodeSource;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.track.ConnectionTable;
import io.linerate.track.flow.FlowSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate flows}. */
public final class FlowsCommand implements Command {
  private static final int MOST_LARGEST = 100_000;

  @Override
  public CommandSpec spec() {
    return Options.command(
        "flows",
        """
        Tells who talks to whom: flows of packets, both directions together.

        Usage: linerate flows SOURCE [--json] [--parquet FILE] [--ipfix HOST:PORT] [OPTIONS]

        A flow is a line when it has ended, or a part of it at each active time-out.

        SOURCE  A capture file, - for stdin, or a port such as packet:eth1.
        --json  An object a line and flow, named as IPFIX names things.
        --parquet FILE  Write them into a Parquet file; print them with --json only.
        --ipfix HOST:PORT[,tcp]  Send them to a collector, by UDP unless tcp is said; likewise.
        --active TIME  Tell of a flow that goes on after this time; 60s if left out.
        --idle TIME  End a flow after this time without packets; 15s if left out.
        --max N  Flows that each worker has open at most; 65536 if left out.
        --top N  Print the N flows with the most bytes, at the end, and no others.
        --packets N  Stop after N packets.
        --duration --stats --set --filter --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate flows examples/captures/mixed.pcapng
        linerate flows examples/captures/mixed.pcapng --top 10
        linerate flows traffic.pcap --json --active 30m
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
    FlowsOutput.Task task = task(options);
    task.parquet().ifPresent(source::requireOther);
    Flows flows =
        new Flows(
            source,
            packets == 0 ? OptionalLong.empty() : OptionalLong.of(packets),
            new FlowsOutput(task, console));
    return new EngineRun(
            configuration.engine(),
            Options.duration(options).or(configuration::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(flows);
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
        (int)
            Options.number(
                options,
                "--max",
                ConnectionTable.MIN_CAPACITY,
                ConnectionTable.MAX_CAPACITY,
                usual.maxFlows()),
        timeout(options, "--active", usual.activeTimeout()),
        timeout(options, "--idle", usual.idleTimeout()));
  }

  private static Duration timeout(ParseResult options, String name, Duration usual) {
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
