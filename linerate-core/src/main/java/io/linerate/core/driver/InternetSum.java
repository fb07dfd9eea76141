package io.linerate.core.driver;

import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.HOST_U64;
import static io.linerate.core.driver.NativeMemory.NET_U16;
import static io.linerate.core.driver.NativeMemory.NET_U32;
import static io.linerate.core.driver.NativeMemory.U8;

import java.nio.ByteOrder;

/**
 * The unfolded sum of RFC 1071: 32 bits at a time into 64, which cannot overflow below 16 GiB. For
 * drivers only: the functions trust the address.
 */
public final class InternetSum {
  /** With fewer, what a loop of vector instructions begins and ends with takes longer than it. */
  private static final int LEAST_VECTOR_BYTES = 64;

  private static final boolean IS_BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

  private InternetSum() {}

  /** The sum of {@code count} bytes, those at even offsets being the high ones. */
  public static long of(long address, int count) {
    if (count < LEAST_VECTOR_BYTES) {
      return ofFew(address, count);
    }
    int whole = count & -Long.BYTES;
    return ofWords(address, whole) + ofFew(address + whole, count - whole);
  }

  /**
   * The sum in the machine's byte order, whose bytes are those of the other (RFC 1071, section 2):
   * a loop that C2 makes vector instructions of. It does so where the index counts bytes; with an
   * index of words that are known not to be negative, it does not.
   */
  private static long ofWords(long address, int bytes) {
    long start = address & NativeMemory.ADDRESS_BITS;
    long sum = 0;
    for (int i = 0; i < bytes; i += Long.BYTES) {
      long word = ALL.get(HOST_U64, start + i);
      sum += (word & 0xFFFF_FFFFL) + (word >>> 32);
    }
    short folded = (short) fold(sum);
    return Short.toUnsignedLong(IS_BIG_ENDIAN ? folded : Short.reverseBytes(folded));
  }

  private static long ofFew(long address, int count) {
    long sum = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
      sum += ALL.get(NET_U32, address + i) & 0xFFFF_FFFFL;
    }
    if (i + 2 <= count) {
      sum += ALL.get(NET_U16, address + i);
      i += 2;
    }
    if (i < count) {
      sum += (ALL.get(U8, address + i) & 0xFFL) << 8;
    }
    return sum;
  }

  /**
   * As {@link #of}, through the segments. A part that begins at an odd offset is summed with its
   * bytes swapped.
   */
  public static long ofSegments(long mbuf, int offset, int count) {
    long sum = 0;
    int done = 0;
    int skip = offset;
    for (long segment = mbuf; done < count; segment = Mbuf.next(segment)) {
      int length = Mbuf.dataLength(segment);
      if (skip >= length) {
        skip -= length;
        continue;
      }
      int part = Math.min(length - skip, count - done);
      int partSum = fold(of(Mbuf.dataAddress(segment) + skip, part));
      sum += (done & 1) == 0 ? partSum : Short.toUnsignedLong(Short.reverseBytes((short) partSum));
      done += part;
      skip = 0;
    }
    return sum;
  }

  /** The sum in 16 bits: what a checksum is the complement of. */
  public static int fold(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xFFFF) + (folded >>> 16);
    }
    return (int) folded;
  }
}
