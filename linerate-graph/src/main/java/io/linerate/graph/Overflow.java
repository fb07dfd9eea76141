package io.linerate.graph;

/** What a queue of tokens does with one for which it has no room. */
public enum Overflow {
  /**
   * What feeds the queue waits: sources and ports before it are not asked while it is nearly full,
   * and an actor that makes many tokens of one waits until there is room for each. On a cycle of
   * queues, which would wait for itself, it drops the new ones.
   */
  HOLD_BACK,

  /** The new one is dropped, as {@code queue_full}. */
  DROP,

  /** The oldest is dropped, as {@code queue_full}, in favor of the new one. */
  KEEP_NEWEST
}
