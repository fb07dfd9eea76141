package io.linerate.apps.capture;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FileTap;
import io.linerate.graph.element.FromPort;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Receives from all ports, counts, perhaps writes, and drops. */
final class Capture implements Application {
  /**
   * What to capture.
   *
   * @param addresses of the ports
   * @param file to write packets to; null: none
   * @param snapLengthBytes bytes of each packet to write at most; 0: all
   * @param packets to receive at most
   */
  record Task(
      List<String> addresses, @Nullable Path file, int snapLengthBytes, OptionalLong packets) {}

  private final Task task;
  private final boolean isJson;
  private final Console console;
  private final CaptureCounts counts = new CaptureCounts();
  private @Nullable CaptureTap file;
  private @Nullable GraphRunner runner;

  Capture(Task task, boolean isJson, Console console) {
    this.task = task;
    this.isJson = isJson;
    this.console = console;
  }

  @Override
  public void wire(Engine engine) {
    List<Port> ports = new ArrayList<>();
    for (String address : task.addresses()) {
      Port port = engine.port(address);
      if (port.rxQueues() == 0) {
        throw new ConfigException(
            "port does not receive: address=" + address + "; give it a source, such as rx=FILE");
      }
      ports.add(port);
    }
    Path path = task.file();
    if (path != null) {
      file =
          new CaptureTap(
              CaptureWriter.create(path, task.snapLengthBytes(), linkTypes(ports)),
              failure -> engine.stop());
    }
    runner =
        GraphRunner.install(
            pipeline(ports, file), engine, BudgetedPort.of(task.packets(), engine.config()));
    engine.source(counts);
  }

  /** From all ports through the census, and perhaps into a file. */
  private Graph pipeline(List<Port> ports, @Nullable CaptureTap file) {
    return Graph.of(g -> {
      Node census =
          g.add("census", new Census(counts, linkTypes(ports).equals(LinkType.ETHERNET_ONLY)));
      for (Port port : ports) {
        g.chain(g.add("from-" + port.name(), new FromPort(port.name())), census);
      }
      Node last = census;
      if (file != null) {
        last = g.add("file", new FileTap(file));
        g.chain(census, last);
      }
      g.chain(last, g.add("end", new Discard()));
    });
  }

  private static Set<LinkType> linkTypes(List<Port> ports) {
    return ports.stream()
        .flatMap(port -> port.linkTypes().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<String> finish() {
    if (file == null) {
      return List.of();
    }
    PortException failure = file.failure();
    try {
      file.close();
    } catch (PortException e) {
      failure = e;
    }
    if (failure != null) {
      return List.of(String.valueOf(failure.getMessage()));
    }
    return file.missed() == 0 ? List.of() : List.of(lacking(file));
  }

  private static String lacking(CaptureTap file) {
    return "capture file lacks packets of other link types than its first: file=%s, packets=%d, missing=%d; write a .pcapng file, which may have several, or choose one with linktype="
        .formatted(file, file.packets(), file.missed());
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public double done(PacketCounts now) {
    return task.packets().isPresent()
        ? (double) PacketBudget.spent(now) / task.packets().getAsLong()
        : -1;
  }

  @Override
  public void report(RunSummary summary) {
    FrameSizes sizes = counts.sizes();
    ProtocolCounts protocols = counts.protocols();
    if (isJson) {
      SummaryJson.print(
          console.out(),
          summary,
          json -> {
            JsonMembers.numbers(json, "bySize", sizes.byName());
            JsonMembers.numbers(json, "byProtocol", protocols.byName());
          });
    } else {
      console.out().print(summary.withFailures(List.of())); // Said on standard error.
      print("bytes", sizes.byName());
      print("protocol", protocols.byName());
    }
  }

  private void print(String heading, Map<String, Long> counts) {
    console.out().printf(Locale.US, "  %12s  %15s%n", heading, "packets");
    counts.forEach((name, n) -> console.out().printf(Locale.US, "  %12s  %,15d%n", name, n));
  }
}
