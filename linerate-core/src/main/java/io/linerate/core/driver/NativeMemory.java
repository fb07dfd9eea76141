package io.linerate.core.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * All of native memory as one segment, and the layouts that the packet path reads and writes it
 * with; and memory that the kernel reads and writes too, such as ring indices, by address.
 *
 * <p>Whoever sees a value with {@code acquire} sees all that was written before it was stored with
 * {@code release}: {@code smp_load_acquire} and {@code smp_store_release} of the kernel's side.
 * Values are in host byte order unless their names say otherwise; acquire and release need aligned
 * addresses.
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

  private static final VarHandle SHARED_U32 = ValueLayout.JAVA_INT.varHandle();

  private NativeMemory() {}

  public static int u8(long address) {
    return Byte.toUnsignedInt(ALL.get(U8, address & ADDRESS_BITS));
  }

  /**
   * Of a place {@code offset} bytes behind an address, 0 or more; so the others with two numbers.
   */
  public static int u8At(long address, int offset) {
    return Byte.toUnsignedInt(ALL.get(U8, (address & ADDRESS_BITS) + offset));
  }

  public static int u16At(long address, int offset) {
    return ALL.get(HOST_U16, (address & ADDRESS_BITS) + offset);
  }

  public static int u32At(long address, int offset) {
    return ALL.get(HOST_U32, (address & ADDRESS_BITS) + offset);
  }

  public static int netU16At(long address, int offset) {
    return ALL.get(NET_U16, (address & ADDRESS_BITS) + offset);
  }

  public static int netU32At(long address, int offset) {
    return ALL.get(NET_U32, (address & ADDRESS_BITS) + offset);
  }

  public static void u8(long address, int value) {
    ALL.set(U8, address & ADDRESS_BITS, (byte) value);
  }

  public static int u16(long address) {
    return ALL.get(HOST_U16, address & ADDRESS_BITS);
  }

  public static void u16(long address, int value) {
    ALL.set(HOST_U16, address & ADDRESS_BITS, (char) value);
  }

  /** In network order. */
  public static int netU16(long address) {
    return ALL.get(NET_U16, address & ADDRESS_BITS);
  }

  public static void netU16(long address, int value) {
    ALL.set(NET_U16, address & ADDRESS_BITS, (char) value);
  }

  public static int u32(long address) {
    return ALL.get(HOST_U32, address & ADDRESS_BITS);
  }

  public static void u32(long address, int value) {
    ALL.set(HOST_U32, address & ADDRESS_BITS, value);
  }

  public static long u64(long address) {
    return ALL.get(HOST_U64, address & ADDRESS_BITS);
  }

  public static void u64(long address, long value) {
    ALL.set(HOST_U64, address & ADDRESS_BITS, value);
  }

  public static int u32Acquire(long address) {
    return (int) SHARED_U32.getAcquire(ALL, address & ADDRESS_BITS);
  }

  public static void u32Release(long address, int value) {
    SHARED_U32.setRelease(ALL, address & ADDRESS_BITS, value);
  }

  public static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from & ADDRESS_BITS, ALL, to & ADDRESS_BITS, bytes);
  }
}
