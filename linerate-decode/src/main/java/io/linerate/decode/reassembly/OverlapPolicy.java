package io.linerate.decode.reassembly;

/**
 * Whose bytes a receiver keeps where a segment overlaps one that came before and waits: which, its
 * operating system says. Source: Novak and Sturges, Target-Based TCP Stream Reassembly (2007); the
 * names, and which system does what, are those of Suricata's {@code host-os-policy}.
 *
 * <pre>
 *                         starts before   starts with it,   starts with it,   starts later,
 *                                         ends later        ends with it      ends later
 * FIRST, VISTA            old             old               old               old
 * LAST                    new             new               new               new
 * BSD, WINDOWS, ...       new             old               old               old
 * LINUX                   new             new               old               old
 * OLD_LINUX               new             new               new               old
 * SOLARIS, HPUX11         new if it ends  new               new               new
 *                         not earlier
 * </pre>
 *
 * In all other cases the old bytes stay, but for LAST.
 */
public enum OverlapPolicy {
  /** Windows 2000 and XP; BSD's rule. */
  WINDOWS,
  /** Windows Server 2003; BSD's rule. */
  WINDOWS2K3,
  /** Windows Vista and later: the old bytes. */
  VISTA,
  /** FreeBSD, NetBSD, OpenBSD, AIX. */
  BSD,
  /** BSD's rule. */
  MACOS,
  /** BSD's rule. */
  IRIX,
  /** BSD's rule. */
  HPUX10,
  /** The rule of Solaris. */
  HPUX11,
  SOLARIS,
  /** Linux 2.4 and later. */
  LINUX,
  /** Linux up to 2.2. */
  OLD_LINUX,
  /** The old bytes. */
  FIRST,
  /** The new bytes. */
  LAST;

  /**
   * Whether the new bytes are kept where both are. Positions are those of the whole segments; the
   * two overlap.
   */
  boolean keepsNew(long newStart, long newEnd, long oldStart, long oldEnd) {
    return switch (this) {
      case FIRST, VISTA -> false;
      case LAST -> true;
      case BSD, HPUX10, IRIX, MACOS, WINDOWS, WINDOWS2K3 -> newStart < oldStart;
      case LINUX -> newStart < oldStart || (newStart == oldStart && newEnd > oldEnd);
      case OLD_LINUX -> newStart < oldStart || (newStart == oldStart && newEnd >= oldEnd);
      case SOLARIS, HPUX11 -> newStart <= oldStart ? newEnd >= oldEnd : newEnd > oldEnd;
    };
  }
}
