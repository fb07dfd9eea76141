package io.linerate.graph;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an element has done with tokens: what comes in and what goes out need not be as many, since
 * an element makes tokens of tokens.
 *
 * @param in that came by its inputs
 * @param out that left by its outputs
 * @param dropped by the name of the reason
 * @param held that wait in its queues
 */
public record TokenCounts(long in, long out, Map<String, Long> dropped, long held) {
  public static final TokenCounts NONE = new TokenCounts(0, 0, Map.of(), 0);

  public TokenCounts {
    dropped = Map.copyOf(dropped);
  }

  public long droppedTotal() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Both together. */
  public TokenCounts plus(TokenCounts other) {
    Map<String, Long> both = new LinkedHashMap<>(dropped);
    other.dropped.forEach((reason, tokens) -> both.merge(reason, tokens, Long::sum));
    return new TokenCounts(in + other.in, out + other.out, both, held + other.held);
  }
}
