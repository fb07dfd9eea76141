package io.linerate.core.driver;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.HOST_U64;

import java.lang.foreign.MemorySegment;

/**
 * Native arrays of packet handles, as {@code rte_eth_rx_burst} fills them: 8 bytes each, the
 * address of a {@link Mbuf}. For drivers only: the functions trust the address.
 */
public final class Handles {
  private Handles() {}

  public static long get(long handles, int index) {
    return ALL.get(HOST_U64, (handles + 8L * index) & ADDRESS_BITS);
  }

  public static void set(long handles, int index, long mbuf) {
    ALL.set(HOST_U64, (handles + 8L * index) & ADDRESS_BITS, mbuf);
  }

  /** Copies {@code count} handles from one array to another. */
  public static void copy(long from, long to, int count) {
    MemorySegment.copy(ALL, from & ADDRESS_BITS, ALL, to & ADDRESS_BITS, 8L * count);
  }

  /** Address of element {@code index}. */
  public static long address(long handles, int index) {
    return handles + 8L * index;
  }
}
