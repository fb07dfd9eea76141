package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv6Prefix;

/**
 * Gives addresses of IPv6 another prefix, and makes up for that in another 16 bits of them, so that
 * no checksum notices (RFC 6296, sections 3.4 to 3.7). Immutable.
 */
final class PrefixRewrite {
  /** Bits of the longest prefix that leaves the 16 bits of the subnet. */
  private static final int SUBNET_BITS = 48;

  private static final int WORD_BITS = 16;
  private static final int WORD = 0xFFFF;

  private final long mask;
  private final long from;
  private final long to;
  private final int adjustment;
  private final boolean isInSubnet;

  /**
   * @param from bytes 0 to 7 of addresses whose prefix is replaced
   * @param to those of the other prefix
   * @param bits of both, 1 to 64
   */
  private PrefixRewrite(long from, long to, int bits) {
    mask = Ipv6Prefix.highMask(bits);
    this.from = from;
    this.to = to;
    adjustment = InternetChecksum.fold(sum(from) + InternetChecksum.complement(sum(to)));
    isInSubnet = bits <= SUBNET_BITS;
  }

  static PrefixRewrite outward(NptPrefix prefix) {
    return new PrefixRewrite(prefix.inside().high(), prefix.outside().high(), prefix.bits());
  }

  static PrefixRewrite inward(NptPrefix prefix) {
    return new PrefixRewrite(prefix.outside().high(), prefix.inside().high(), prefix.bits());
  }

  private static long sum(long words) {
    return (words >>> 48) + (words >>> 32 & WORD) + (words >>> 16 & WORD) + (words & WORD);
  }

  /**
   * Whether an address has the prefix that is replaced.
   *
   * @param high its bytes 0 to 7
   */
  boolean matches(long high) {
    return (high & mask) == from;
  }

  /**
   * Replaces the prefix of an address that {@link #matches}.
   *
   * @param at where in the packet it stands
   * @return false if nothing there can make up for it, so that it is as it was: subnet 0xFFFF, or,
   *     of a longer prefix, an interface identifier of zeros or ones
   */
  boolean apply(Packet packet, int at) {
    long high = packet.u64(at);
    long low = packet.u64(at + Long.BYTES);
    long replaced = (high & ~mask) | to;
    if (isInSubnet) {
      if ((high & WORD) == WORD) {
        return false;
      }
      packet.u64(at, adjusted(replaced, 0));
      return true;
    }
    if (low == 0 || low == -1) {
      return false;
    }
    packet.u64(at, replaced);
    packet.u64(at + Long.BYTES, adjusted(low, firstUsable(low)));
    return true;
  }

  /** How far the first 16 bits are to be shifted that are not all ones: section 3.5. */
  private static int firstUsable(long low) {
    int shift = Long.SIZE - WORD_BITS;
    while ((low >>> shift & WORD) == WORD) {
      shift -= WORD_BITS;
    }
    return shift;
  }

  private long adjusted(long words, int shift) {
    int sum = InternetChecksum.fold((words >>> shift & WORD) + adjustment);
    long word = sum == WORD ? 0 : sum;
    return (words & ~((long) WORD << shift)) | (word << shift);
  }
}
