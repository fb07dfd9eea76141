package io.linerate.core.memory;

/**
 * Which received packets an engine's handlers are given: the others end as {@link
 * DropReason#FILTERED} before. Used by all workers at once. What a packet holds makes it fail
 * never, and it allocates nothing for one.
 */
public interface ReceiveFilter extends PacketPredicate {
  /** Whether handlers are given the packet. */
  @Override
  boolean accepts(Packet packet);

  /**
   * Whether it can accept some packets that begin so: a port that brings none of these types is not
   * opened.
   */
  boolean judges(LinkType type);

  /**
   * A program of classic BPF that keeps packets away which {@link #accepts} would reject, and no
   * others: for a socket of Linux, whose frames of Ethernet lack their VLAN tag and are as long as
   * offloads have made them.
   *
   * @return instructions, each a {@code struct sock_filter} as a number in host byte order; none if
   *     the kernel cannot tell
   */
  default long[] kernelProgram() {
    return new long[0];
  }

  /** Its text, as users write it. */
  String expression();
}
