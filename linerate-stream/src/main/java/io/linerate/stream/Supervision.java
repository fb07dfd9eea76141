package io.linerate.stream;

/**
 * What becomes of an actor that has thrown. The token that it was given is dropped, as {@code
 * handler_error}, and the failure is counted and logged, whatever is chosen.
 */
public enum Supervision {
  /** It goes on with what it knows. */
  SKIP,

  /** It begins anew: what it kept is forgotten. As {@link #SKIP} for actors that keep nothing. */
  RESTART,

  /**
   * The program ends, and has failed. What comes to the actor on that worker until then is dropped
   * as {@code stopped}; other workers end what they are at.
   */
  STOP
}
