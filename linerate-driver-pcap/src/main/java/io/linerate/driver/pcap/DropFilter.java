package io.linerate.driver.pcap;

import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.ReceiveFilter;
import java.util.Optional;

/**
 * Which dropped packets are captured.
 *
 * @param reason empty: all that are no good end
 * @param element of a graph that drops them; empty: all, and what no element drops
 * @param packets what they hold; empty: anything
 */
public record DropFilter(
    Optional<String> reason, Optional<String> element, Optional<ReceiveFilter> packets) {
  public static final DropFilter ALL = new DropFilter(Optional.empty(), Optional.empty());

  /** Whatever they hold. */
  public DropFilter(Optional<String> reason, Optional<String> element) {
    this(reason, element, Optional.empty());
  }

  // Asked for each dropped packet: no lambda, which were an object.
  boolean takes(DropReason why) {
    return reason.isPresent() ? reason.get().equals(why.name()) : !why.isGoodEnd();
  }

  boolean takes(DropPlace where) {
    return element.isEmpty() || element.get().equals(where.element());
  }
}
