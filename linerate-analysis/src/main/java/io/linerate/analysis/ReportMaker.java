package io.linerate.analysis;

import io.linerate.stream.WindowResult;
import io.linerate.wire.IpProtocol;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Makes the report of a window of what was counted of its keys. */
record ReportMaker(AnalysisSettings settings)
    implements Function<List<WindowResult<Object, Tally>>, WindowReport> {
  /** A name in the window. */
  private record Name(NameId id, long questions) {}

  /** A flow in the window. */
  private record Flow(FlowId id, Tally tally) {
    FlowTraffic toTraffic() {
      return FlowTraffic.of(id, tally);
    }
  }

  @Override
  public WindowReport apply(List<WindowResult<Object, Tally>> window) {
    Largest<Flow> byBytes = largestFlows(Tally::allBytes);
    Largest<Flow> byPackets = largestFlows(Tally::allPackets);
    Largest<Name> names =
        new Largest<>(
            settings.top(),
            Comparator.comparingLong(Name::questions)
                .thenComparing(Name::id, Comparator.reverseOrder()));
    Hosts hosts = new Hosts();
    long packets = 0;
    long bytes = 0;
    long flows = 0;
    long udp = 0;
    long questions = 0;
    long evicted = 0;
    long dropped = 0;
    for (WindowResult<Object, Tally> one : window) {
      Tally tally = one.value();
      evicted += tally.evictedFlows();
      if (one.key() instanceof FlowId id) {
        Flow flow = new Flow(id, tally);
        byBytes.add(flow);
        byPackets.add(flow);
        hosts.add(id, tally);
        packets += tally.allPackets();
        bytes += tally.allBytes();
        flows++;
        udp += Attempt.isUdp(id) ? tally.beginnings(0) + tally.beginnings(1) : 0;
      } else if (one.key() instanceof NameId id) {
        names.add(new Name(id, tally.allPackets()));
        questions += tally.allPackets();
      } else {
        dropped += tally.allPackets();
      }
    }
    List<Attempt> attempts = Attempt.of(window);
    Scans scans = Scans.of(attempts, settings);
    return new WindowReport(
        window.getFirst().startNs(),
        window.getFirst().endNs(),
        packets,
        bytes,
        flows,
        attempts.stream().filter(one -> one.protocol() == IpProtocol.TCP).count(),
        udp,
        questions,
        evicted,
        dropped,
        byBytes.list().stream().map(Flow::toTraffic).toList(),
        byPackets.list().stream().map(Flow::toTraffic).toList(),
        hosts.byBytes(settings.top()),
        hosts.byPackets(settings.top()),
        names.list().stream()
            .map(name -> new NameCount(name.id.toString(), name.questions))
            .toList(),
        scans.portScans(),
        scans.hostScans(),
        scans.synFloods());
  }

  private Largest<Flow> largestFlows(ToLongFunction<Tally> size) {
    return new Largest<>(
        settings.top(),
        Comparator.<Flow>comparingLong(flow -> size.applyAsLong(flow.tally))
            .thenComparing(Flow::id, Comparator.reverseOrder()));
  }
}
