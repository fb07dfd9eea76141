package io.linerate.track.flow;

import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * An information element of a flow, as the registry of IPFIX has it (RFC 7012): what files and
 * messages say of flows, in the same words and with the same values.
 *
 * @param name in the registry, {@code reverse...} of the reverse direction (RFC 5103, section 6.1)
 * @param number in the registry
 * @param isReverse whether it is of the reverse direction, so that its enterprise is {@link
 *     #REVERSE_ENTERPRISE}
 * @param kind of its values
 * @param value of a flow; of an IPv6 address bytes 8 to 15
 * @param high of an IPv6 address bytes 0 to 7; 0 of all else
 * @param applies whether a flow has such a thing: only then it means anything
 */
public record FlowElement(
    String name,
    int number,
    boolean isReverse,
    Kind kind,
    ToLongFunction<FlowRecord> value,
    ToLongFunction<FlowRecord> high,
    Predicate<FlowRecord> applies) {
  /** Private enterprise number of elements of the reverse direction: RFC 5103, section 6.1. */
  public static final int REVERSE_ENTERPRISE = 29_305;

  /** What values are: RFC 7011, section 6.1. */
  public enum Kind {
    IPV4_ADDRESS(4),
    IPV6_ADDRESS(16),
    UNSIGNED_8(1),
    UNSIGNED_16(2),
    UNSIGNED_64(8),
    /** Milliseconds since the epoch. */
    TIME_MS(8),
    /** Nanoseconds since the epoch; in messages as NTP has times. */
    TIME_NS(8);

    private final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }

    /** In messages. */
    public int bytes() {
      return bytes;
    }
  }

  static FlowElement of(int number, String name, Kind kind, ToLongFunction<FlowRecord> value) {
    return new FlowElement(name, number, false, kind, value, flow -> 0, flow -> true);
  }

  /** An IPv6 address. */
  static FlowElement of(
      int number, String name, ToLongFunction<FlowRecord> high, ToLongFunction<FlowRecord> low) {
    return new FlowElement(name, number, false, Kind.IPV6_ADDRESS, low, high, flow -> true);
  }

  /** Means something only where both say so. */
  FlowElement where(Predicate<FlowRecord> isThere) {
    return new FlowElement(name, number, isReverse, kind, value, high, applies.and(isThere));
  }

  /** Its value. */
  public long of(FlowRecord flow) {
    return value.applyAsLong(flow);
  }
}
