package io.linerate.core.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * All of native memory as one segment, and the layouts that the packet path reads and writes it
 * with.
 *
 * <p>One constant segment folds to plain loads and stores in compiled code, without an object per
 * packet. For drivers only: whoever uses it answers for the address.
 */
public final class NativeMemory {
  @SuppressWarnings("restricted")
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /**
   * Bits of an address in user space. {@code (address & ADDRESS_BITS) + offset}, with an offset
   * that is not negative, is inside {@link #ALL} for every address there is, which the compiler can
   * see: no check of it is left in compiled code.
   */
  public static final long ADDRESS_BITS = (1L << 56) - 1;

  // Unaligned layouts: aligned ones add a check of the address to every access.
  public static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  public static final ValueLayout.OfChar HOST_U16 = ValueLayout.JAVA_CHAR_UNALIGNED;
  public static final ValueLayout.OfInt HOST_U32 = ValueLayout.JAVA_INT_UNALIGNED;
  public static final ValueLayout.OfLong HOST_U64 = ValueLayout.JAVA_LONG_UNALIGNED;
  public static final ValueLayout.OfChar NET_U16 = HOST_U16.withOrder(ByteOrder.BIG_ENDIAN);
  public static final ValueLayout.OfInt NET_U32 = HOST_U32.withOrder(ByteOrder.BIG_ENDIAN);
  public static final ValueLayout.OfLong NET_U64 = HOST_U64.withOrder(ByteOrder.BIG_ENDIAN);

  private NativeMemory() {}
}
