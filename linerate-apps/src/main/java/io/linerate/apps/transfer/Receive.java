package io.linerate.apps.transfer;

import io.linerate.core.config.RateText;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes files, until it is stopped or has what it was to have. */
final class Receive implements Application {
  private static final double NS_PER_S = 1e9;

  private final LinkOptions link;
  private final int udpPort;
  private final Incoming incoming;
  private final Optional<FileKey> key;
  private final boolean isOnce;
  private final boolean isJson;
  private final Console console;
  private @Nullable GraphRunner runner;
  private long bytesBefore;
  private long filesBefore;

  Receive(
      LinkOptions link,
      int udpPort,
      Incoming incoming,
      Optional<FileKey> key,
      boolean isOnce,
      boolean isJson,
      Console console) {
    this.link = link;
    this.udpPort = udpPort;
    this.incoming = incoming;
    this.key = key;
    this.isOnce = isOnce;
    this.isJson = isJson;
    this.console = console;
  }

  @Override
  public void wire(Engine engine) {
    incoming.open();
    engine.port(LinkOptions.PORT, link.via());
    Graph end = link.host().receiver(link.settings(), udpPort, true);
    Graph graph =
        Graph.of(g ->
            g.chain(g.add("link", end), g.add("files", new FileReceiver(incoming, key, isOnce))));
    runner = GraphRunner.install(graph, engine);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public String progress(PacketCounts now, PacketCounts before, long intervalNs) {
    long bytes = incoming.bytes();
    long files = incoming.files();
    if (bytes == bytesBefore && files == filesBefore) {
      return "";
    }
    double perSecond = (bytes - bytesBefore) * NS_PER_S / intervalNs;
    bytesBefore = bytes;
    filesBefore = files;
    return String.format(
        Locale.ROOT,
        "%,d files, %s, %s",
        files,
        RateText.of((double) bytes, "B"),
        RateText.of(perSecond, "B/s"));
  }

  @Override
  public List<String> finish() {
    return incoming.close();
  }

  @Override
  public void report(RunSummary summary) {
    if (isJson) {
      SummaryJson.print(
          console.out(),
          summary,
          json -> {
            json.name("files").value(incoming.files());
            json.name("bytes").value(incoming.bytes());
          });
      return;
    }
    console.print(
        String.format(
            Locale.ROOT, "received: files=%,d, bytes=%,d", incoming.files(), incoming.bytes()));
    console.out().print(summary.withFailures(List.of()));
  }
}
