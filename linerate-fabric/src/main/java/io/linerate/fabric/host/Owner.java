package io.linerate.fabric.host;

/** Who uses a domain. */
public enum Owner {
  /** The thread that has opened it, and no other: checked at each call. */
  ONE_THREAD,
  /** Threads that a lock keeps apart: the caller sees to it. */
  LOCKED
}
