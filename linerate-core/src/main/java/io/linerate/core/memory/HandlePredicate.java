package io.linerate.core.memory;

import io.linerate.core.driver.Handles;

/**
 * Judges packets by their handles, without a cursor: for loops that are generated. It is trusted to
 * stay inside each packet's first segment.
 */
public interface HandlePredicate {
  /**
   * Judges packets of a burst, none of which has left it.
   *
   * @param from the first of them
   * @param count 1 to 64
   * @param handles address of the handle of the first, see {@link Handles}
   * @return bit i: packet {@code from + i} is accepted
   */
  long test(Burst burst, int from, int count, long handles);
}
