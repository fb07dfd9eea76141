package io.linerate.driver.linux.packet;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.driver.TransportHeader;
import io.linerate.driver.linux.IoVectors;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.linux.VirtioHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sends packets that stand for several or are longer than an interface's MTU, one with each call:
 * the kernel cuts them. For queues behind which nobody does. Behind the kernel's queueing, as
 * others' packets. One thread's own.
 */
public final class SuperPacketSocket implements AutoCloseable {
  /** What a longest packet takes in buffers of 256 bytes. */
  private static final int MAX_SEGMENTS = 256;

  private final SystemCalls calls = new SystemCalls();
  private final PacketSocket socket;
  private final int mtuBytes;
  private final TransportHeader found = new TransportHeader();
  private final VirtioHeader offloads = new VirtioHeader();
  private final MemorySegment header = Arena.ofAuto().allocate(VirtioHeader.BYTES, 8);
  private final IoVectors vectors = new IoVectors(1 + MAX_SEGMENTS);

  private SuperPacketSocket(PacketSocket socket) {
    this.socket = socket;
    mtuBytes = socket.netInterface().mtuBytes();
    vectors.set(0, header.address(), VirtioHeader.BYTES);
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
        && Mbuf.segments(mbuf) <= MAX_SEGMENTS
        && found.find(mbuf)
        && Segmenter.partBytes(mbuf, found, mtuBytes) > 0;
  }

  /**
   * Sends a packet that it {@link #canSend}, which stays the caller's.
   *
   * @return bytes sent, or a negative {@link io.linerate.core.driver.Errno}
   */
  public long send(long mbuf) {
    offloads.write(header.address(), mbuf, mtuBytes);
    vectors.setSegments(1, mbuf);
    int pieces = 1 + Mbuf.segments(mbuf);
    return calls.writev(socket.descriptor(), vectors.address(0), pieces);
  }

  @Override
  public void close() {
    socket.close();
  }
}
