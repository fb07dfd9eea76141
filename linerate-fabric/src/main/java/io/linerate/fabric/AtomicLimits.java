package io.linerate.fabric;

import java.util.Arrays;

/**
 * How many values the atomic operations of an endpoint may have. It asks the provider once for
 * each, since a post asks every time: a provider that is given what it does not have may call a
 * function that is not there, here or at the peer.
 */
final class AtomicLimits {
  private static final int COMPARE_AND_SWAP = 12; // FI_CSWAP.
  private static final int KINDS = 16;
  private static final int UNKNOWN = -1;

  private final long endpoint;
  private final int[] limits = new int[KINDS * KINDS * KINDS];

  AtomicLimits(long endpoint) {
    this.endpoint = endpoint;
    Arrays.fill(limits, UNKNOWN);
  }

  /** The number of an operation, of enum fi_op. */
  static int number(Operation operation, AtomicOperation atomic) {
    return operation == Operation.COMPARE_AND_SWAP ? COMPARE_AND_SWAP : atomic.number();
  }

  /** Values at most; 0 where there is no such operation. */
  int of(Operation operation, AtomicType type, AtomicOperation atomic) {
    int number = number(operation, atomic);
    int index = (operation.number() * KINDS + type.number()) * KINDS + number;
    if (limits[index] == UNKNOWN) {
      boolean isAtomic = operation.isRemote() && !operation.isTransfer();
      limits[index] =
          isAtomic
              ? (int)
                  Math.min(
                      Integer.MAX_VALUE,
                      FabricFunction.ATOMIC_LIMIT.callLong(
                          endpoint, operation.number(), type.number(), number))
              : 0;
    }
    return limits[index];
  }
}
