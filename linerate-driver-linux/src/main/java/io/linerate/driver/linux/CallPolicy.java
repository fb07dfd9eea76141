package io.linerate.driver.linux;

/** When a ring's owner makes the system call that tells the kernel of filled slots. */
public enum CallPolicy {
  /** When it pays, or when nothing else is to be done: {@link AdaptiveSender}. */
  ADAPTIVE,
  /** After each burst. */
  ALWAYS,
  /**
   * When no slot is free: the fewest calls, and no bound on how long a packet waits. For comparison
   * only: under sparse load a forwarder may wait for ever, when packets that were not announced use
   * up what it receives into.
   */
  FULL
}
