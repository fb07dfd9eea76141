package io.linerate.core.driver;

/**
 * Finishes TCP and UDP checksums that a sender in the same machine left to a device that is none.
 *
 * <p>The kernel writes the sum of the pseudo header into the field, and expects hardware to add the
 * rest (CHECKSUM_PARTIAL, linux/skbuff.h). Over a veth pair nobody does, and neither an XDP program
 * nor a driver of DPDK sees the mark that says so. But the field can: it is the folded sum of the
 * pseudo header, and not its complement. A frame whose finished checksum happens to be that number
 * gets the same number again, for the sum over it is right; so nothing is spoilt by looking. For
 * drivers only: it trusts the handle. One thread's own.
 */
public final class PartialChecksum {
  private final TransportHeader header = new TransportHeader();

  /**
   * Finishes the checksum of a received frame, or that of the packet in a tunnel, if it is
   * unfinished; returns whether it was. A tunnel's own checksum is that of the finished one (Local
   * Checksum Offload, Documentation/networking/checksum-offloads.rst).
   */
  public boolean finish(long mbuf) {
    boolean isFound = header.find(mbuf);
    if (isFound && header.protocol() == TransportHeader.TCP) {
      return finishFound();
    }
    return (isFound && finishFound()) || (header.findInner(mbuf) && finishFound());
  }

  private boolean finishFound() {
    long unfinished = header.pseudoHeaderSum(header.end() - header.offset());
    if (header.checksum() != InternetSum.fold(unfinished)) {
      return false;
    }
    header.completeChecksum();
    return true;
  }

  /**
   * Finishes that of a {@link Mbuf#IS_SUPER_PACKET}, and one that {@link Mbuf#NEEDS_CHECKSUM}: it
   * goes to where nobody else does.
   */
  public void finishUnfinished(long mbuf) {
    if (Mbuf.innerBytes(mbuf) != 0 && header.findInner(mbuf)) {
      header.completeChecksum();
    }
    boolean isNeeded = Mbuf.needsChecksum(mbuf);
    if (header.find(mbuf) && (isNeeded || header.hasChecksum())) {
      header.completeChecksum();
    }
  }

  /** Whether a device can make the checksum of a packet. */
  public boolean canFinish(long mbuf) {
    return header.find(mbuf) && header.isPlain();
  }

  /** Whether a device can make several datagrams of a packet. */
  public boolean canCut(long mbuf) {
    return canFinish(mbuf) && header.protocol() == TransportHeader.UDP;
  }
}
