package io.linerate.track;

/** How far a connection is: what its time-out depends on. */
public enum Phase {
  /** TCP: not both ends have acknowledged each other's SYN. */
  TCP_OPENING(0),
  /** TCP: both ends have, and neither has sent FIN. */
  TCP_ESTABLISHED(1),
  /** TCP: one end has sent FIN, or both have. */
  TCP_CLOSING(2),
  /** TCP: both FINs are acknowledged, or one end has sent RST. */
  TCP_CLOSED(3),
  /** UDP: nothing has come back. */
  UDP_UNANSWERED(4),
  /** UDP: something has. */
  UDP_ANSWERED(5),
  /** A query of ICMP or ICMPv6, such as an echo. */
  ICMP_QUERY(6),
  /** Any other protocol. */
  OTHER(7);

  private static final Phase[] ALL = values();

  /** In the layout of {@link ConnectionRecords}; from 0 on, in the order of all. */
  private final int number;

  Phase(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static Phase of(int number) {
    return ALL[number];
  }
}
