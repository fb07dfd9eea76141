package io.linerate.core.statistics;

import io.linerate.core.config.RateText;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortStatistics;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What a run did with its packets.
 *
 * @param programName from the configuration
 * @param durationNs from the start of the workers until the last one ended, or until now
 * @param ports the ports in the order in which they were opened
 * @param packets where the packets went, all workers together
 * @param droppedTokens of streams, which are no packets, by the name of the reason
 * @param exceptions that handlers threw
 * @param failures a sentence for each port or worker that failed, and for the first exception of a
 *     handler; empty after a good run
 */
public record RunSummary(
    String programName,
    long durationNs,
    List<PortSummary> ports,
    PacketCounts packets,
    Map<String, Long> droppedTokens,
    long exceptions,
    List<String> failures) {
  /** {@link Formatter} knows its symbols: looking up those of others takes some 25 ms. */
  private static final Locale LOCALE = Locale.US;

  private static final double NS_PER_S = 1e9;

  public boolean hasFailed() {
    return !failures.isEmpty();
  }

  /** The same with other failures. */
  public RunSummary withFailures(List<String> others) {
    return new RunSummary(
        programName, durationNs, ports, packets, droppedTokens, exceptions, others);
  }

  /** Packets received in a second. */
  public double receivedPps() {
    return durationNs == 0 ? 0 : packets.received() * NS_PER_S / durationNs;
  }

  /** The conservation law in words; what only some programs have is left out where it is 0. */
  private String law() {
    StringJoiner law = new StringJoiner(", ");
    number(law, packets.received(), "received", true);
    number(law, packets.made(), "made", false);
    number(law, packets.takenOver(), "taken over", false);
    number(law, packets.sent(), "sent", true);
    number(law, packets.droppedTotal(), "dropped", true);
    number(law, packets.handedOver(), "handed over", false);
    number(law, packets.inFlight(), "in flight", true);
    return law.toString();
  }

  private static void number(StringJoiner law, long packets, String what, boolean isAlways) {
    if (isAlways || packets != 0) {
      law.add(String.format(LOCALE, "%,d %s", packets, what));
    }
  }

  /** A few lines for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Formatter lines = new Formatter(text, LOCALE);
    lines.format(
        "%s: %s in %.3f s (%s)%n",
        programName, law(), durationNs / NS_PER_S, RateText.packets(receivedPps()));
    packets
        .dropped()
        .forEach(
            (reason, n) -> lines.format("  %s as %s: %,d%n", DropReason.end(reason), reason, n));
    droppedTokens.forEach((reason, n) -> lines.format("  tokens dropped as %s: %,d%n", reason, n));
    for (PortSummary port : ports) {
      PortStatistics counted = port.statistics();
      lines.format(
          "  %s %s: rx %,d packets %,d bytes, tx %,d packets %,d bytes, missed %,d, errors %,d%s%n",
          port.name(),
          port.address(),
          counted.rxPackets(),
          counted.rxBytes(),
          counted.txPackets(),
          counted.txBytes(),
          counted.missed(),
          counted.errors(),
          counted.isFilteredByKernel() ? ", filtered by the kernel" : "");
    }
    failures.forEach(failure -> lines.format("  failed: %s%n", failure));
    return text.toString();
  }
}
