package io.linerate.track;

/** What a packet is to the connections that are known. */
public enum Relation {
  /** It is of one. */
  ESTABLISHED(0),
  /** It is an error of ICMP about a packet of one. */
  RELATED(1),
  /** It could begin one. */
  NEW(2),
  /**
   * It is of none, and could not be: not IP, or of a protocol that looks after single links, such
   * as neighbour discovery.
   */
  UNTRACKED(3),
  /** It claims to be of one, and cannot be: {@link ConnectionTracker#defect} says why. */
  INVALID(4);

  /** How many there are. */
  public static final int COUNT = 5;

  private final int number;

  Relation(int number) {
    this.number = number;
  }

  /** Its place in arrays by relation, 0 to {@link #COUNT} - 1. */
  public int number() {
    return number;
  }
}
