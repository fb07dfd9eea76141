package io.linerate.apps.fabric;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.NumberText;
import io.linerate.core.worker.StopSignal;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Waiting;
import io.linerate.fabric.channel.ChannelSettings;
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
        --sizes LIST  Bytes of messages; 4 to 1048576 by powers of four if left out. serve has
          memory for the longest, and takes no longer one.
        --time TIME  ping, bandwidth: how long each size is measured; 1s if left out.
        --window N  Not info: messages under way at most; 64 if left out, fewer of long ones.
        --wait HOW  Not info: spin, yield, sleep or adaptive (the default): see docs/fabric.md.
        --chart FILE  ping, bandwidth: draw the result, as .png or .svg.
        --once  serve: end after the first peer.
        --json  Not serve: print the result as a JSON object, the rest to standard error.
        --duration TIME  Not info: stop after this time, such as 500ms, 10s or 2m.

        linerate fabric info
        linerate fabric serve fabric:shm:one
        linerate fabric ping fabric:shm:one --sizes 4,64,1024
        linerate fabric bandwidth fabric:tcp:192.0.2.7:7000 --time 5s --chart rates.svg
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    List<String> words = options.matchedPositionalValue(0, List.of());
    Word word = Word.of(words.getFirst());
    word.requireOptions(options);
    if (words.size() > word.words()) {
      throw new ConfigException(
          "no such argument: text=%s; %s".formatted(words.get(word.words()), word.usage()));
    }
    if (word == Word.INFO) {
      return new ProviderList(Options.isJson(options)).print(console);
    }
    if (words.size() < word.words()) {
      throw new ConfigException(
          "an address is missing; write linerate fabric %s fabric:shm:NAME, or fabric:tcp:HOST:PORT"
              .formatted(word));
    }
    FabricAddress address = FabricAddress.parse(words.get(1));
    if (!Fabric.problem().isEmpty()) {
      throw new CommandException("the fabric is unavailable: " + Fabric.problem());
    }
    List<Integer> sizes = sizes(options.matchedOptionValue("--sizes", SIZES));
    int longest = sizes.stream().mapToInt(it -> it).max().orElse(1);
    int window = (int) Options.number(options, "--window", 2, 4096, 64);
    ChannelSettings settings = FabricClient.settings(window, longest, waiting(options));
    Duration most = Options.duration(options).orElse(Duration.ofNanos(Long.MAX_VALUE));
    AtomicBoolean isStopped = new AtomicBoolean();
    MeasureLimit limit = new MeasureLimit(isStopped, System.nanoTime(), most);
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true))) {
      return word == Word.SERVE
          ? new FabricServer(address, settings, limit, console)
              .serve(options.matchedOptionValue("--once", false))
          : measure(word == Word.PING, address, settings, sizes, options, limit, console);
    } catch (FabricException e) {
      if (e.isAddressUnknown()) {
        throw new ConfigException(String.valueOf(e.getMessage()));
      }
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  private static Waiting waiting(ParseResult options) {
    String how = options.matchedOptionValue("--wait", "adaptive");
    return EnumText.read(how, WaitChoice.class)
        .orElseThrow(() ->
            new ConfigException(
                "wrong value: --wait %s; write one of %s"
                    .formatted(how, EnumText.all(WaitChoice.class))))
        .waiting();
  }

  private static int measure(
      boolean isPing,
      FabricAddress peer,
      ChannelSettings settings,
      List<Integer> sizes,
      ParseResult options,
      MeasureLimit limit,
      Console console) {
    Duration each = Options.duration(options, "--time").orElse(EACH);
    String chartFile = options.matchedOptionValue("--chart", "");
    FabricChart chart = chartFile.isEmpty() ? null : new FabricChart(chartFile);
    List<SizeRow> rows = new ArrayList<>();
    FabricClient client = new FabricClient(peer, settings, each, limit, console);
    FabricException failure = null;
    long start = System.nanoTime();
    try (Progress _ =
        Progress.start(
            console,
            () -> Progress.bar(client.done() / (double) sizes.size(), System.nanoTime() - start))) {
      client.measure(isPing, sizes, rows);
    } catch (FabricException e) {
      failure = e; // What was measured before is told all the same.
    }
    if (!rows.isEmpty()) {
      FabricReport report = new FabricReport(isPing, peer, client.window(), rows);
      if (Options.isJson(options)) {
        report.writeJson(console.out());
      } else {
        report.print(console.out());
      }
      console.out().flush();
    }
    if (chart != null && !rows.isEmpty()) {
      chart.write(isPing, peer, rows);
    }
    if (failure != null) {
      throw failure;
    }
    if (rows.size() < sizes.size()) {
      throw new CommandException(
          "%s: sizes=%d of %d"
                  .formatted(
                      limit.isStopped().get()
                          ? "interrupted"
                          : "not all was measured before --duration was over",
                      rows.size(),
                      sizes.size())
              + (limit.isStopped().get() ? "" : "; give it longer, or name fewer --sizes"));
    }
    return ExitStatus.DONE;
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
