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
  private final SendProgress progress;
  private final int skipped;
  private final boolean isJson;
  private final Console console;
  private @Nullable Engine engine;
  private @Nullable GraphRunner runner;

  Send(
      LinkOptions link,
      LinkSettings settings,
      String peer,
      int flows,
      Optional<FileKey> key,
      SendPlan plan,
      int skipped,
      boolean isJson,
      Console console) {
    this.link = link;
    this.settings = settings;
    this.peer = peer;
    this.flows = flows;
    this.key = key;
    this.plan = plan;
    progress = new SendProgress(plan);
    this.skipped = skipped;
    this.isJson = isJson;
    this.console = console;
  }

  @Override
  public void wire(Engine running) {
    engine = running;
    running.port(LinkOptions.PORT, link.via());
    Graph end = link.host().sender(settings, peer, flows);
    Graph graph =
        Graph.of(g -> {
          Node sender = g.add("link", end);
          Node files = g.add("files", new FileSender(plan, key, settings.algorithm()));
          g.chain(files, sender, files);
        });
    runner = GraphRunner.install(graph, running);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public String bar(long elapsedNs) {
    return progress.bar(elapsedNs);
  }

  @Override
  public String progress(PacketCounts now, PacketCounts before, long intervalNs) {
    return progress.line(intervalNs);
  }

  @Override
  public List<String> finish() {
    if (engine != null && engine.drivers().failure().isPresent()) {
      plan.linkHasFailed();
    }
    return plan.problems();
  }

  @Override
  public void report(RunSummary summary) {
    double seconds = summary.durationNs() / NS_PER_S;
    if (isJson) {
      SummaryJson.print(
          console.out(),
          summary,
          json -> {
            json.name("files").value(plan.files());
            json.name("filesDone").value(plan.done());
            json.name("filesThere").value(plan.there());
            json.name("filesSkipped").value(skipped);
            json.name("filesFailed").value(plan.failed());
            json.name("bytes").value(plan.sentBytes());
            json.name("bytesThere").value(plan.bytesThere());
          });
      return;
    }
    console.print(
        String.format(
            Locale.ROOT,
            "sent: files=%,d, there=%,d, skipped=%,d, failed=%,d, bytes=%,d, there=%,d; %s",
            plan.done(),
            plan.there(),
            skipped,
            plan.failed(),
            plan.sentBytes(),
            plan.bytesThere(),
            RateText.of(plan.sentBytes() / seconds, "B/s")));
    console.out().print(summary.withFailures(List.of()));
  }
}
