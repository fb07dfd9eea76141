package io.linerate.graph;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an element has done with packets. When its worker rests, {@code packetsIn + made =
 * packetsOut + dropped + held}.
 *
 * @param packetsIn that came by its inputs or from a port
 * @param packetsOut that left by its outputs or to a port
 * @param dropped by the name of the reason; those that a port refused included
 * @param made that it made itself
 * @param held that it has stored
 * @param noBuffers packets that it could not make because no buffer was free
 * @param tokens what it has done with tokens
 */
public record ElementCounts(
    long packetsIn,
    long bytesIn,
    long packetsOut,
    long bytesOut,
    Map<String, Long> dropped,
    long made,
    long held,
    long noBuffers,
    TokenCounts tokens) {
  public static final ElementCounts NONE =
      new ElementCounts(0, 0, 0, 0, Map.of(), 0, 0, 0, TokenCounts.NONE);

  public long droppedTotal() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Both together. */
  public ElementCounts plus(ElementCounts other) {
    Map<String, Long> both = new LinkedHashMap<>(dropped);
    other.dropped.forEach((reason, packets) -> both.merge(reason, packets, Long::sum));
    return new ElementCounts(
        packetsIn + other.packetsIn,
        bytesIn + other.bytesIn,
        packetsOut + other.packetsOut,
        bytesOut + other.bytesOut,
        both,
        made + other.made,
        held + other.held,
        noBuffers + other.noBuffers,
        tokens.plus(other.tokens));
  }
}
