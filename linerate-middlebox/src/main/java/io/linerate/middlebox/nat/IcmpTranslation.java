package io.linerate.middlebox.nat;

import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;

/**
 * What an error of ICMP is called in ICMPv6, and the other way round: type, code, and bytes 4 to 7,
 * which are a pointer or an MTU (RFC 7915, sections 4.2 and 5.2). One thread's own.
 */
final class IcmpTranslation {
  private static final int HEADER_BYTES_MORE = 20;
  private static final int LEAST_MTU_BYTES = Nat64.LEAST_MTU_BYTES;

  /** RFC 1191, section 7: what routers that say no MTU may have meant. */
  private static final int[] PLATEAUS = {
    65_535, 32_000, 17_914, 8_166, 4_352, 2_002, 1_492, 1_006, 508, 296, 68
  };

  private static final int NONE = -1;

  // Codes of destination unreachable, RFC 792 and RFC 1812, section 5.2.7.1.
  private static final int PROTOCOL = 2;
  private static final int PORT = 3;
  private static final int TOO_BIG = 4;
  private static final int PROHIBITED = 13;
  private static final int HOST_PROHIBITED = 10;
  private static final int PRECEDENCE = 15;

  /** Of an error of ICMPv6 about a next header that is not known, where that stands. */
  private static final int NEXT_HEADER = 6;

  /** RFC 7915, figure 3: by offset in a header of IPv4. */
  private static final int[] POINTERS_TO_IPV6 = {
    0, 1, 4, 4, NONE, NONE, NONE, NONE, 7, 6, NONE, NONE, 8, 8, 8, 8, 24, 24, 24, 24
  };

  /** RFC 7915, figure 6: by offset in a header of IPv6, up to the addresses. */
  private static final int[] POINTERS_TO_IPV4 = {0, 1, NONE, NONE, 2, 2, 9, 8};

  private final int mtuBytes;
  private int type;
  private int code;
  private int rest;

  /**
   * @param mtuBytes of a packet on either side
   */
  IcmpTranslation(int mtuBytes) {
    this.mtuBytes = mtuBytes;
  }

  int type() {
    return type;
  }

  int code() {
    return code;
  }

  /** Bytes 4 to 7. */
  int rest() {
    return rest;
  }

  private boolean set(int newType, int newCode) {
    return set(newType, newCode, 0);
  }

  private boolean set(int newType, int newCode, int newRest) {
    type = newType;
    code = newCode;
    rest = newRest;
    return true;
  }

  /**
   * Finds what an error of ICMP is in ICMPv6.
   *
   * @param oldRest its bytes 4 to 7
   * @param quotedBytes length of the packet that it is about
   * @return whether there is such an error
   */
  boolean toIcmpv6(int oldType, int oldCode, int oldRest, int quotedBytes) {
    return switch (oldType) {
      case Icmp.DESTINATION_UNREACHABLE -> unreachableToIcmpv6(oldCode, oldRest, quotedBytes);
      case Icmp.TIME_EXCEEDED -> set(Icmpv6.TIME_EXCEEDED, oldCode);
      case Icmp.PARAMETER_PROBLEM -> {
        int pointer = (oldCode & ~2) != 0 ? NONE : at(POINTERS_TO_IPV6, oldRest >>> 24);
        yield pointer != NONE && set(Icmpv6.PARAMETER_PROBLEM, 0, pointer);
      }
      default -> false;
    };
  }

  private boolean unreachableToIcmpv6(int oldCode, int oldRest, int quotedBytes) {
    return switch (oldCode) {
      case PROTOCOL -> set(Icmpv6.PARAMETER_PROBLEM, 1, NEXT_HEADER);
      case PORT -> set(Icmpv6.DESTINATION_UNREACHABLE, 4);
      case TOO_BIG -> set(Icmpv6.PACKET_TOO_BIG, 0, mtuOfIpv6(oldRest & 0xFFFF, quotedBytes));
      case 0, 1, 5, 6, 7, 8, 11, 12 -> set(Icmpv6.DESTINATION_UNREACHABLE, 0);
      case 9, HOST_PROHIBITED, PROHIBITED, PRECEDENCE -> set(Icmpv6.DESTINATION_UNREACHABLE, 1);
      default -> false;
    };
  }

  /** Section 4.2, and for an MTU of 0 the next plateau below the packet's length. */
  private int mtuOfIpv6(int mtu, int quotedBytes) {
    int known = mtu;
    for (int i = 0; known == 0 && i < PLATEAUS.length; i++) {
      known = PLATEAUS[i] < quotedBytes ? PLATEAUS[i] : 0;
    }
    return Math.max(LEAST_MTU_BYTES, Math.min(known + HEADER_BYTES_MORE, mtuBytes));
  }

  /**
   * Finds what an error of ICMPv6 is in ICMP.
   *
   * @param oldRest its bytes 4 to 7
   * @return whether there is such an error
   */
  boolean toIcmp(int oldType, int oldCode, int oldRest) {
    return switch (oldType) {
      case Icmpv6.DESTINATION_UNREACHABLE -> unreachableToIcmp(oldCode);
      case Icmpv6.PACKET_TOO_BIG -> set(Icmp.DESTINATION_UNREACHABLE, TOO_BIG, mtuOfIpv4(oldRest));
      case Icmpv6.TIME_EXCEEDED -> set(Icmp.TIME_EXCEEDED, oldCode);
      case Icmpv6.PARAMETER_PROBLEM -> problemToIcmp(oldCode, oldRest);
      default -> false;
    };
  }

  private boolean unreachableToIcmp(int oldCode) {
    return switch (oldCode) {
      case 0, 2, 3 -> set(Icmp.DESTINATION_UNREACHABLE, 1);
      case 1 -> set(Icmp.DESTINATION_UNREACHABLE, HOST_PROHIBITED);
      case 4 -> set(Icmp.DESTINATION_UNREACHABLE, PORT);
      default -> false;
    };
  }

  private int mtuOfIpv4(int mtu) {
    long known = Math.min(Integer.toUnsignedLong(mtu), mtuBytes);
    return (int) Math.max(0, known - HEADER_BYTES_MORE);
  }

  private boolean problemToIcmp(int oldCode, int oldPointer) {
    if (oldCode == 1) {
      return set(Icmp.DESTINATION_UNREACHABLE, PROTOCOL);
    }
    int pointer = oldPointer >>> 3 == 0 ? POINTERS_TO_IPV4[oldPointer] : ofAddress(oldPointer);
    return oldCode == 0 && pointer != NONE && set(Icmp.PARAMETER_PROBLEM, 0, pointer << 24);
  }

  private static int ofAddress(int pointer) {
    if (pointer >= 8 && pointer < 24) {
      return 12;
    }
    return pointer >= 24 && pointer < 40 ? 16 : NONE;
  }

  private static int at(int[] table, int index) {
    return index < table.length ? table[index] : NONE;
  }
}
