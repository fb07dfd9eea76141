package io.linerate.graph.element;

import io.linerate.core.time.TokenBucket;
import io.linerate.graph.Wiring;

/**
 * Questions to neighbors, at a bounded rate. Who asks too early asks again later: each question is
 * late by a tenth of a second at most while the rate allows it.
 */
final class NeighborQuestions {
  /** RFC 4861, section 10, which RFC 1122, section 2.3.2.1, agrees with for ARP. */
  static final int MAX_PER_NEIGHBOR = 3;

  static final long RETRY_NS = 1_000_000_000L;

  private final Wiring wiring;
  private final NeighborProtocol protocol;
  private final TokenBucket bucket;
  private long asked;
  private long delayed;

  NeighborQuestions(Wiring wiring, NeighborProtocol protocol, int perSecond) {
    this.wiring = wiring;
    this.protocol = protocol;
    bucket = new TokenBucket(perSecond, Math.max(1, perSecond / 10));
  }

  /** Whether the rate allows a question now. */
  boolean isPossible() {
    bucket.fill(wiring.nowNs());
    return bucket.holds(1);
  }

  /** Asks for an entry's address, if the rate allows it and a buffer is free. */
  void ask(NeighborTable table, int at, long mac) {
    bucket.fill(wiring.nowNs());
    if (!bucket.take(1)) {
      delayed++;
    } else if (protocol.ask(table.high(at), table.low(at), mac)) {
      table.asked(at, wiring.nowNs());
      asked++;
    }
  }

  /** Questions sent. */
  long asked() {
    return asked;
  }

  /** How often the rate did not allow one. */
  long delayed() {
    return delayed;
  }
}
