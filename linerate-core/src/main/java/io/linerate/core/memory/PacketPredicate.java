package io.linerate.core.memory;

/** Says of packets whether they are wanted. They stay as they are. */
@FunctionalInterface
public interface PacketPredicate {
  /** Whether the packet is wanted. */
  boolean accepts(Packet packet);

  /**
   * Which of up to 64 packets of a burst are wanted, those in the slots from {@code from} on:
   * faster than one by one where a test has a loop for it. May move both of the burst's cursors.
   *
   * <pre>{@code
   * for (int from = 0; from < burst.size(); from += Long.SIZE) {
   *   long accepted = test.accepted(burst, from);
   *   long rest = burst.live(from) & ~accepted;
   *   ...
   * }
   * }</pre>
   *
   * @return bit i: packet {@code from + i} is there and wanted
   * @throws IndexOutOfBoundsException if {@code from} is not in 0 to {@link Burst#size}
   */
  default long accepted(Burst burst, int from) {
    long left = burst.live(from);
    long accepted = left;
    for (; left != 0; left &= left - 1) {
      if (!accepts(burst.packet(from + Long.numberOfTrailingZeros(left)))) {
        accepted &= ~Long.lowestOneBit(left);
      }
    }
    return accepted;
  }
}
