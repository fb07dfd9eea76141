package io.linerate.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Finds scans and floods among the attempts of a window. */
final class Scans {
  private final AnalysisSettings settings;
  private final List<PortScan> portScans = new ArrayList<>();
  private final List<HostScan> hostScans = new ArrayList<>();
  private final List<SynFlood> synFloods = new ArrayList<>();

  private Scans(AnalysisSettings settings) {
    this.settings = settings;
  }

  /** Those of a window. */
  static Scans of(List<Attempt> attempts, AnalysisSettings settings) {
    Scans scans = new Scans(settings);
    List<Attempt> bySource = new ArrayList<>(attempts);
    bySource.sort(Attempt::compareBySource);
    groups(bySource, (a, b) -> a.source().equals(b.source()), scans::addSource);
    List<Attempt> byPort =
        new ArrayList<>(
            attempts.stream().filter(one -> one.syns() > 0 && !one.isCompleted()).toList());
    byPort.sort(Attempt::compareByPort);
    groups(
        byPort,
        (a, b) -> a.port() == b.port() && a.destination().equals(b.destination()),
        scans::addPort);
    scans.portScans.sort(Comparator.comparingInt(PortScan::ports).reversed());
    scans.hostScans.sort(Comparator.comparingInt(HostScan::hosts).reversed());
    scans.synFloods.sort(Comparator.comparingLong(SynFlood::syns).reversed());
    return scans;
  }

  /** Those that follow each other and are alike. */
  private static void groups(
      List<Attempt> sorted,
      BiPredicate<Attempt, Attempt> areAlike,
      Consumer<List<Attempt>> consumer) {
    int start = 0;
    for (int i = 1; i <= sorted.size(); i++) {
      if (i == sorted.size() || !areAlike.test(sorted.get(start), sorted.get(i))) {
        consumer.accept(sorted.subList(start, i));
        start = i;
      }
    }
  }

  private void addSource(List<Attempt> ofSource) {
    if (ofSource.size() < Math.min(settings.scanPorts(), settings.scanHosts())) {
      return;
    }
    int[] hosts = {0};
    groups(
        ofSource,
        (a, b) -> a.destination().equals(b.destination()),
        toHost -> {
          hosts[0]++;
          addHost(toHost);
        });
    if (hosts[0] >= settings.scanHosts()) {
      Set<Integer> ports = new HashSet<>();
      ofSource.stream()
          .filter(one -> !one.isIcmp())
          .forEach(one -> ports.add((one.protocol() << 16) | one.port()));
      hostScans.add(new HostScan(ofSource.getFirst().source(), hosts[0], ports.size()));
    }
  }

  private void addHost(List<Attempt> toHost) {
    int[] ports = {0};
    groups(toHost, Attempt::isSamePort, toPort -> ports[0] += toPort.getFirst().isIcmp() ? 0 : 1);
    if (ports[0] >= settings.scanPorts()) {
      Attempt first = toHost.getFirst();
      portScans.add(new PortScan(first.source(), first.destination(), ports[0]));
    }
  }

  private void addPort(List<Attempt> toPort) {
    long syns = toPort.stream().mapToLong(Attempt::syns).sum();
    if (syns < settings.floodSyns()) {
      return;
    }
    int[] sources = {0};
    groups(toPort, (a, b) -> a.source().equals(b.source()), _ -> sources[0]++);
    Attempt first = toPort.getFirst();
    synFloods.add(new SynFlood(first.destination(), first.port(), syns, toPort.size(), sources[0]));
  }

  List<PortScan> portScans() {
    return List.copyOf(portScans);
  }

  List<HostScan> hostScans() {
    return List.copyOf(hostScans);
  }

  List<SynFlood> synFloods() {
    return List.copyOf(synFloods);
  }
}
