package io.linerate.decode.reassembly;

/** What became of a fragment: see {@link FragmentReassembler#add}. */
public enum FragmentResult {
  /** It was taken out of its burst and waits for others. */
  WAITS,

  /** It was the one that was missing, and is still in its burst. */
  COMPLETE,

  /** It came before, and waits already. */
  REPETITION,

  /** It overlaps another, or contradicts where the last one ends: its datagram was given up. */
  CONTRADICTION,

  /** Its datagram has more fragments than may wait, and was given up. */
  TOO_MANY,

  /** With it, its datagram is longer than 65,535 bytes, and was given up. */
  TOO_LONG,

  /**
   * It is empty, no multiple of 8 bytes though not the last, ends beyond 65,535, or its headers are
   * broken: RFC 7112 wants all extension headers in the first fragment.
   */
  MALFORMED,

  /** It has fewer bytes than its header claims. */
  TRUNCATED,

  /** It has a second fragment header of IPv6. */
  NESTED,

  /** No room to hold it was left but that of its own datagram, which was given up. */
  NO_ROOM
}
