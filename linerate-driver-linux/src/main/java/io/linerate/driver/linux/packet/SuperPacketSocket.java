package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.driver.TransportHeader;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.VirtioWriter;

/**
 * Sends packets that stand for several or are longer than an interface's MTU, one per call; the
 * kernel or the device cuts them. They pass the interface's qdisc: past it the kernel would drop
 * what it has to cut. One thread's own.
 */
public final class SuperPacketSocket implements AutoCloseable {
  private final PacketSocket socket;
  private final int mtuBytes;
  private final TransportHeader found = new TransportHeader();
  private final VirtioWriter writer;

  private SuperPacketSocket(PacketSocket socket) {
    this.socket = socket;
    mtuBytes = socket.netInterface().mtuBytes();
    writer = new VirtioWriter(new SystemCalls(), socket.descriptor(), mtuBytes);
  }

  /**
   * Opens one.
   *
   * @throws io.linerate.core.port.PortException if that is not allowed
   */
  public static SuperPacketSocket open(NetInterface netInterface) {
    PacketSocket socket = PacketSocket.open(netInterface, new SystemCalls());
    try {
      socket.bindToSend(false);
      return new SuperPacketSocket(socket);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Whether a packet is one that the kernel is to cut, and can. */
  public boolean canSend(long mbuf) {
    return (Mbuf.isSuperPacket(mbuf) || Segmenter.isTooLong(mbuf, mtuBytes))
        && Mbuf.vlanTag(mbuf) < 0
        && Mbuf.innerBytes(mbuf) == 0
        && Mbuf.segments(mbuf) <= VirtioWriter.MAX_SEGMENTS
        && isFound(mbuf)
        && found.end() == Mbuf.packetLength(mbuf) // The kernel takes what is behind for payload.
        && Segmenter.partBytes(mbuf, found, mtuBytes) > 0;
  }

  private boolean isFound(long mbuf) {
    boolean isFound = found.find(mbuf);
    MappedFileFault.settle(mbuf);
    return isFound;
  }

  /**
   * Sends a packet that it {@link #canSend}, which stays the caller's.
   *
   * @return bytes sent, or {@code -errno}
   */
  public long send(long mbuf) {
    return writer.prepare(mbuf) ? writer.write() : -Errno.EMSGSIZE;
  }

  @Override
  public void close() {
    socket.close();
  }
}
