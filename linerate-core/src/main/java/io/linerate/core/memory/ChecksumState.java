package io.linerate.core.memory;

/** What is known of a packet's checksum without computing it. */
public enum ChecksumState {
  /** Nothing: whoever wants to know computes it. */
  UNKNOWN,

  /** The device or the kernel found it right when the packet came. */
  GOOD,

  /** The device found it wrong when the packet came. */
  BAD,

  /** It is not made yet: who transmits the packet makes it. */
  NONE
}
