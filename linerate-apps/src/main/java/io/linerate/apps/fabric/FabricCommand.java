package io.linerate.apps.fabric;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.NumberText;
import io.linerate.core.worker.StopSignal;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.program.run.Command;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import io.linerate.program.run.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate fabric}. */
public final class FabricCommand implements Command {
  private static final String SIZES = "4,16,64,256,1024,4096,16384,65536,262144,1048576";
  private static final int MOST_BYTES = 16 << 20;
  private static final Duration EACH = Duration.ofSeconds(1);

  @Override
  public CommandSpec spec() {
    return Options.command(
        "fabric",
        """
        User-level networking by libfabric: which providers there are, and how fast they are.

        Usage: linerate fabric info [OPTIONS]
               linerate fabric serve ADDRESS [OPTIONS]
               linerate fabric ping|bandwidth ADDRESS [OPTIONS]

        ping and bandwidth measure to a process that serves, here or on another host: the half
        round trip of messages, and how much of them a second. See docs/fabric.md.

        WHAT...  info; serve, ping or bandwidth and an address, such as fabric:tcp+rxm:HOST:PORT.
        --sizes LIST  Bytes of messages; 4 to 1048576 by powers of four if left out.
        --time TIME  How long each size is measured; 1s if left out.
        --window N  Messages under way at most; 64 if left out, fewer of long ones.
        --wait HOW  spin, yield, sleep or adaptive (the default): see docs/fabric.md.
        --chart FILE  Draw the result, as .png or .svg.
        --once  serve: end after the first peer.
        --json --duration

        linerate fabric info
        linerate fabric serve fabric:shm:one
        linerate fabric ping fabric:shm:one --sizes 4,64,1024
        linerate fabric bandwidth fabric:tcp:192.0.2.7:7000 --time 5s --chart rates.svg
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    List<String> words = options.matchedPositionalValue(0, List.of());
    String what = words.getFirst();
    String address = words.size() > 1 ? words.get(1) : "";
    if (words.size() > 2) {
      throw new ConfigException("no such argument: text=" + words.get(2) + "; name one address");
    }
    if (what.equals("info")) {
      return new ProviderList(Options.isJson(options)).print(console);
    }
    if (!List.of("serve", "ping", "bandwidth").contains(what)) {
      throw new ConfigException(
          "nothing to do: what=%s; write info, serve, ping or bandwidth".formatted(what));
    }
    if (address.isEmpty()) {
      throw new ConfigException(
          "an address is missing; write linerate fabric %s fabric:shm:NAME, or fabric:tcp:HOST:PORT"
              .formatted(what));
    }
    FabricAddress peer = FabricAddress.parse(address);
    if (!Fabric.problem().isEmpty()) {
      throw new CommandException("the fabric is unavailable: " + Fabric.problem());
    }
    String how = options.matchedOptionValue("--wait", "adaptive");
    WaitChoice wait =
        EnumText.read(how, WaitChoice.class)
            .orElseThrow(() ->
                new ConfigException(
                    "wrong value: --wait %s; write one of %s"
                        .formatted(how, EnumText.all(WaitChoice.class))));
    int window = (int) Options.number(options, "--window", 2, 4096, 64);
    AtomicBoolean isStopped = new AtomicBoolean();
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true))) {
      if (what.equals("serve")) {
        boolean isOnce = options.matchedOptionValue("--once", false);
        Duration longest = Options.duration(options).orElse(Duration.ofNanos(Long.MAX_VALUE));
        return new FabricServer(peer, wait.waiting(), window, isStopped, console)
            .serve(isOnce, longest);
      }
      return measure(what.equals("ping"), peer, wait, window, options, isStopped, console);
    } catch (FabricException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  private static int measure(
      boolean isPing,
      FabricAddress peer,
      WaitChoice wait,
      int window,
      ParseResult options,
      AtomicBoolean isStopped,
      Console console) {
    List<Integer> sizes = sizes(options.matchedOptionValue("--sizes", SIZES));
    Duration each = Options.duration(options, "--time").orElse(EACH);
    String chartFile = options.matchedOptionValue("--chart", "");
    FabricChart chart = chartFile.isEmpty() ? null : new FabricChart(chartFile);
    List<SizeRow> rows = new ArrayList<>();
    FabricClient client = new FabricClient(peer, wait.waiting(), window, each, isStopped);
    long start = System.nanoTime();
    try (Progress _ =
        Progress.start(
            console,
            () -> Progress.bar(client.done() / (double) sizes.size(), System.nanoTime() - start))) {
      client.measure(isPing, sizes, rows);
    }
    FabricReport report = new FabricReport(isPing, peer, client.window(), rows);
    if (Options.isJson(options)) {
      report.writeJson(console.out());
    } else {
      report.print(console.out());
    }
    if (chart != null && !rows.isEmpty()) {
      chart.write(isPing, peer, rows);
    }
    console.out().flush();
    return rows.size() == sizes.size() ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private static List<Integer> sizes(String text) {
    List<Integer> sizes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      sizes.add(
          NumberText.read(part, 0, MOST_BYTES)
              .orElseThrow(() ->
                  new ConfigException(
                      "wrong value: --sizes %s; write sizes from 0 to %d with commas between"
                          .formatted(text, MOST_BYTES)))
              .intValue());
    }
    return sizes;
  }
}
