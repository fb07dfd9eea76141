package io.linerate.core.driver;

/**
 * Work of a runtime that one worker does, and any other may do from now on: the balancer moves it
 * by what it takes. Equal to itself whenever it is asked for; its text names it. Any thread.
 */
public interface MovableWork {
  /** Number of the worker that does it; negative: none, or none that the balancer is to know. */
  int worker();

  /** What it has taken of workers' time until now, in ns. */
  long ns();

  /**
   * Has another worker do it, soon.
   *
   * @param reason numbers that say why, for people
   */
  void move(int worker, String reason);
}
