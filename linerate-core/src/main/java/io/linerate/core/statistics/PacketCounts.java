package io.linerate.core.statistics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where packets went, at one moment. The conservation law: {@code received + made + takenOver =
 * sent + dropped + handedOver + inFlight}.
 *
 * @param received packets that workers received from ports
 * @param made packets that the program made itself
 * @param takenOver packets that workers took over from others
 * @param sent packets that ports took from workers
 * @param dropped packets that ended otherwise, by the name of the reason
 * @param handedOver packets that workers handed to others; those not yet taken over are between the
 *     two
 * @param inFlight packets stored in workers
 */
public record PacketCounts(
    long received,
    long made,
    long takenOver,
    long sent,
    Map<String, Long> dropped,
    long handedOver,
    long inFlight) {
  public static final PacketCounts NONE = new PacketCounts(0, 0, Map.of(), 0);

  /** Of a program that makes no packets and hands none from worker to worker. */
  public PacketCounts(long received, long sent, Map<String, Long> dropped, long inFlight) {
    this(received, 0, 0, sent, dropped, 0, inFlight);
  }

  public long droppedTotal() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether the conservation law holds. */
  public boolean isConserved() {
    return received + made + takenOver == sent + droppedTotal() + handedOver + inFlight;
  }

  /** Both together. */
  public PacketCounts plus(PacketCounts other) {
    Map<String, Long> both = new LinkedHashMap<>(dropped);
    other.dropped.forEach((reason, packets) -> both.merge(reason, packets, Long::sum));
    return new PacketCounts(
        received + other.received,
        made + other.made,
        takenOver + other.takenOver,
        sent + other.sent,
        both,
        handedOver + other.handedOver,
        inFlight + other.inFlight);
  }
}
