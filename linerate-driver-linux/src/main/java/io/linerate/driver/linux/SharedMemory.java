package io.linerate.driver.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Memory that the kernel reads and writes too: ring indices and descriptors, by address. For
 * drivers only: the functions trust the address.
 *
 * <p>Whoever sees a value with {@code acquire} sees all that was written before it was stored with
 * {@code release}: {@code smp_load_acquire} and {@code smp_store_release} of the kernel's side.
 * Values are in host byte order; acquire and release need aligned addresses.
 */
public final class SharedMemory {
  @SuppressWarnings("restricted")
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** Bits of an address in user space: a masked address needs no check in compiled code. */
  private static final long ADDRESS_BITS = (1L << 56) - 1;

  private static final VarHandle U32 = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle U64 = ValueLayout.JAVA_LONG.varHandle();

  private SharedMemory() {}

  public static int u8(long address) {
    return Byte.toUnsignedInt(ALL.get(ValueLayout.JAVA_BYTE, address & ADDRESS_BITS));
  }

  public static void u8(long address, int value) {
    ALL.set(ValueLayout.JAVA_BYTE, address & ADDRESS_BITS, (byte) value);
  }

  public static int u16(long address) {
    return ALL.get(ValueLayout.JAVA_CHAR_UNALIGNED, address & ADDRESS_BITS);
  }

  public static void u16(long address, int value) {
    ALL.set(ValueLayout.JAVA_CHAR_UNALIGNED, address & ADDRESS_BITS, (char) value);
  }

  public static int u32(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address & ADDRESS_BITS);
  }

  public static void u32(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address & ADDRESS_BITS, value);
  }

  public static long u64(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address & ADDRESS_BITS);
  }

  public static void u64(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address & ADDRESS_BITS, value);
  }

  public static int u32Acquire(long address) {
    return (int) U32.getAcquire(ALL, address & ADDRESS_BITS);
  }

  public static void u32Release(long address, int value) {
    U32.setRelease(ALL, address & ADDRESS_BITS, value);
  }

  public static long u64Acquire(long address) {
    return (long) U64.getAcquire(ALL, address & ADDRESS_BITS);
  }

  public static void u64Release(long address, long value) {
    U64.setRelease(ALL, address & ADDRESS_BITS, value);
  }

  public static void copy(long from, long to, long bytes) {
    MemorySegment.copy(ALL, from & ADDRESS_BITS, ALL, to & ADDRESS_BITS, bytes);
  }

  public static void fill(long address, long bytes, int value) {
    ALL.asSlice(address & ADDRESS_BITS, bytes).fill((byte) value);
  }
}
