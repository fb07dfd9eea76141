package io.linerate.graph;

/** What an element does once in each round of its worker. */
@FunctionalInterface
public interface Round {
  /**
   * A piece of work: sends what is due, for one.
   *
   * @return packets moved; 0 lets the worker idle
   * @throws Exception is logged; the element goes on
   */
  int run() throws Exception;
}
