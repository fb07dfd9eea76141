package io.linerate.apps.transfer;

import io.linerate.core.config.RateText;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import io.linerate.stream.net.LinkSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends files, and ends when the receiver has them. */
final class Send implements Application {
  private static final double NS_PER_S = 1e9;

  private final LinkOptions link;
  private final LinkSettings settings;
  private final String peer;
  private final int flows;
  private final Optional<FileKey> key;
  private final SendPlan plan;
  private final boolean isJson;
  private final Console console;
  private @Nullable GraphRunner runner;

  Send(
      LinkOptions link,
      LinkSettings settings,
      String peer,
      int flows,
      Optional<FileKey> key,
      SendPlan plan,
      boolean isJson,
      Console console) {
    this.link = link;
    this.settings = settings;
    this.peer = peer;
    this.flows = flows;
    this.key = key;
    this.plan = plan;
    this.isJson = isJson;
    this.console = console;
  }

  @Override
  public void wire(Engine engine) {
    engine.port(LinkOptions.PORT, link.via());
    Graph end = link.host().sender(settings, peer, flows);
    Graph graph =
        Graph.of(g -> {
          Node sender = g.add("link", end);
          Node files = g.add("files", new FileSender(plan, key, settings.algorithm()));
          g.chain(files, sender, files);
        });
    runner = GraphRunner.install(graph, engine);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public double done(PacketCounts now) {
    long total = plan.totalBytes();
    // What comes by a pipe is not in the total.
    return total == 0 ? -1 : Math.min(1, (double) plan.arrivedBytes() / total);
  }

  @Override
  public String progress(PacketCounts now, PacketCounts before, long intervalNs) {
    return String.format(
        Locale.ROOT,
        "%,d of %,d files, %s of %s",
        plan.done(),
        plan.files(),
        RateText.of((double) plan.arrivedBytes(), "B"),
        RateText.of((double) plan.totalBytes(), "B"));
  }

  @Override
  public List<String> finish() {
    return plan.problems();
  }

  @Override
  public void report(RunSummary summary) {
    double seconds = summary.durationNs() / NS_PER_S;
    long sent = plan.arrivedBytes() - plan.skippedBytes();
    if (isJson) {
      SummaryJson.print(
          console.out(),
          summary,
          json -> {
            json.name("files").value(plan.files());
            json.name("filesDone").value(plan.done());
            json.name("filesThere").value(plan.skipped());
            json.name("filesFailed").value(plan.failed());
            json.name("bytes").value(plan.arrivedBytes());
            json.name("bytesThere").value(plan.skippedBytes());
          });
      return;
    }
    console.print(
        String.format(
            Locale.ROOT,
            "sent: files=%,d, there=%,d, failed=%,d, bytes=%,d, there=%,d; %s",
            plan.done() - plan.skipped(),
            plan.skipped(),
            plan.failed(),
            sent,
            plan.skippedBytes(),
            RateText.of(sent / seconds, "B/s")));
    console.out().print(summary.withFailures(List.of()));
  }
}
