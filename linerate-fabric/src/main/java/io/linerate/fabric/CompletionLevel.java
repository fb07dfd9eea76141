package io.linerate.fabric;

/** When a send, or a write of remote memory, counts as complete: fi_cq(3), completion levels. */
public enum CompletionLevel {
  /** Whichever costs the provider least; its memory is free. */
  DEFAULT(0),
  /** Its memory is free: the provider has its own copy, or all was sent. */
  INJECTED(1L << 26),
  /** It has left, and the network answers for it: what is lost on the way is reported. */
  TRANSMITTED(1L << 27),
  /** The peer has it: in its buffer, or in its memory. */
  DELIVERED(1L << 28);

  /** Those of all of them. */
  static final long FLAGS = INJECTED.flag | TRANSMITTED.flag | DELIVERED.flag;

  private final long flag;

  CompletionLevel(long flag) {
    this.flag = flag;
  }

  long flag() {
    return flag;
  }
}
