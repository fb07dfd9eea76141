package io.linerate.wire;

/** What is wrong with a fragment of IP alone, whatever else came of its packet. */
public enum FragmentDefect {
  /** Nothing. */
  NONE,

  /** It has fewer bytes than its header claims. */
  TRUNCATED,

  /**
   * It is empty, it is not the last and no multiple of 8 bytes long, it ends beyond the 65,535
   * bytes that a packet has at most, or its headers are longer than {@link
   * FragmentView#MAX_HEADER_BYTES}.
   */
  MALFORMED
}
