package io.linerate.middlebox.nat;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.List;

/**
 * Addresses of IPv6 that stand for those of IPv4 (RFC 6052, section 2.2), and what links take.
 *
 * @param prefix of them: of 32, 40, 48, 56, 64 or 96 bits
 * @param mtuBytes of a packet on either side, {@value #LEAST_MTU_BYTES} to 65,535: what is longer
 *     from inside has come in fragments, and may be cut again; and more is promised to nobody
 */
public record Nat64(Ipv6Prefix prefix, int mtuBytes) {
  /** What each link takes of IPv6: RFC 8200, section 5. */
  public static final int LEAST_MTU_BYTES = 1_280;

  /** For hosts of the public Internet only: RFC 6052, section 2.1. */
  static final Ipv6Prefix WELL_KNOWN = Ipv6Prefix.of(0x0064_FF9B_0000_0000L, 0, 96);

  private static final List<Integer> LENGTHS = List.of(32, 40, 48, 56, 64, 96);
  private static final int USUAL_MTU_BYTES = 1_500;
  private static final int MOST_MTU_BYTES = 65_535;

  /** Bits 64 to 71, which are 0 whatever the prefix: section 2.2. */
  private static final long RESERVED = 0xFFL << 56;

  /** Behind bits 72 to 103, where what does not stand before these does. */
  private static final int BEHIND_BITS = 24;

  private static final long LOW_32 = 0xFFFF_FFFFL;

  /**
   * @throws IllegalArgumentException if the prefix has another length, or bits 64 to 71 of it are
   *     not 0, or the MTU is out of range
   */
  public Nat64 {
    if (!LENGTHS.contains(prefix.bits()) || (prefix.low() & RESERVED) != 0) {
      throw new IllegalArgumentException(
          "not a prefix for addresses of IPv4: prefix=%s; give one of 32, 40, 48, 56, 64 or 96 bits,"
                  .formatted(prefix)
              + " whose bits 64 to 71 are 0, such as "
              + WELL_KNOWN);
    }
    if (mtuBytes < LEAST_MTU_BYTES || mtuBytes > MOST_MTU_BYTES) {
      throw new IllegalArgumentException(
          "number out of range: mtuBytes=%d; give %d to %d"
              .formatted(mtuBytes, LEAST_MTU_BYTES, MOST_MTU_BYTES));
    }
  }

  /**
   * A prefix, such as {@code 64:ff9b::/96}, and links that take 1,500 bytes.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static Nat64 of(String prefix) {
    if (IpPrefix.parse(prefix) instanceof Ipv6Prefix some) {
      return new Nat64(some, USUAL_MTU_BYTES);
    }
    throw new IllegalArgumentException(
        "not a prefix of IPv6: prefix=" + prefix + "; write " + WELL_KNOWN);
  }

  public Nat64 withMtu(int bytes) {
    return new Nat64(prefix, bytes);
  }

  /** Whether an address stands for one of IPv4. */
  boolean contains(long high, long low) {
    return (high & Ipv6Prefix.highMask(prefix.bits())) == prefix.high()
        && (low & Ipv6Prefix.lowMask(prefix.bits())) == prefix.low();
  }

  /** The address of IPv4 for which one stands that it {@link #contains}. */
  int ipv4(long high, long low) {
    if (prefix.bits() > Long.SIZE) {
      return (int) low;
    }
    int first = Long.SIZE - prefix.bits();
    long rest = (low >>> BEHIND_BITS & LOW_32) >>> first;
    return (int) (high << (Integer.SIZE - first) | rest);
  }

  /** Bytes 0 to 7 of what stands for an address of IPv4. */
  long high(int address) {
    int first = Math.max(0, Long.SIZE - prefix.bits());
    return prefix.high() | (Integer.toUnsignedLong(address) >>> (Integer.SIZE - first));
  }

  /** Bytes 8 to 15 likewise. */
  long low(int address) {
    if (prefix.bits() > Long.SIZE) {
      return prefix.low() | Integer.toUnsignedLong(address);
    }
    int first = Long.SIZE - prefix.bits();
    return (Integer.toUnsignedLong(address) << first & LOW_32) << BEHIND_BITS;
  }

  @Override
  public String toString() {
    return prefix.toString();
  }
}
