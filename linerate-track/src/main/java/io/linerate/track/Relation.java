package io.linerate.track;

/** What a packet is to the connections that are known. */
public enum Relation {
  /** It is of one. */
  ESTABLISHED,
  /** It is an error of ICMP about a packet of one. */
  RELATED,
  /** It could begin one. */
  NEW,
  /**
   * It is of none, and could not be: not IP, or of a protocol that looks after single links, such
   * as neighbour discovery.
   */
  UNTRACKED,
  /** It claims to be of one, and cannot be: {@link ConnectionTracker#defect} says why. */
  INVALID
}
