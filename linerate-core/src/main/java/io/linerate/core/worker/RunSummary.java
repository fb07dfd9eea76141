package io.linerate.core.worker;

import java.util.List;
import java.util.Locale;

/**
 * What a run did with its packets.
 *
 * @param programName from the configuration
 * @param durationNs from the start of the workers until the last one ended, or until now
 * @param ports the ports in the order in which they were opened
 * @param packets where the packets went, all workers together
 * @param failures a sentence for each port or worker that failed; empty after a good run
 */
public record RunSummary(
    String programName,
    long durationNs,
    List<PortSummary> ports,
    PacketCounts packets,
    List<String> failures) {
  public boolean hasFailed() {
    return !failures.isEmpty();
  }

  /** Packets received in a second, in millions. */
  public double receivedMpps() {
    return durationNs == 0 ? 0 : packets.received() * 1_000.0 / durationNs;
  }

  /** A few lines for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %,d received, %,d sent, %,d dropped, %,d in flight in %.3f s (%.3f Mpps)%n",
            programName,
            packets.received(),
            packets.sent(),
            packets.droppedTotal(),
            packets.inFlight(),
            durationNs / 1e9,
            receivedMpps()));
    packets
        .dropped()
        .forEach((reason, n) ->
            text.append(String.format(Locale.ROOT, "  dropped as %s: %,d%n", reason, n)));
    for (PortSummary port : ports) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %s %s: rx %,d packets %,d bytes, tx %,d packets %,d bytes, missed %,d, errors %,d%n",
              port.name(),
              port.address(),
              port.statistics().rxPackets(),
              port.statistics().rxBytes(),
              port.statistics().txPackets(),
              port.statistics().txBytes(),
              port.statistics().missed(),
              port.statistics().errors()));
    }
    failures.forEach(
        failure -> text.append("  failed: ").append(failure).append(System.lineSeparator()));
    return text.toString();
  }
}
