package io.linerate.stream;

/**
 * What becomes of the time on a worker to which no token has come for a second, where tokens say a
 * time.
 */
public enum Silence {
  /**
   * It stands still, so that windows stay open there; other workers do not wait for this one. What
   * it brings later to a window that has ended is late.
   */
  LEAVE_OUT,

  /**
   * It goes on by the clock, a second and the window's delay behind: for tokens whose times are
   * those of the clock, such as packets of a device. Windows end though nothing comes.
   */
  FOLLOW_CLOCK,

  /**
   * It stands still, and others wait: for tokens that were recorded, which are as late as it takes
   * to read them. Nothing is late because a worker was slow.
   */
  WAIT
}
