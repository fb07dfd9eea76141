package io.linerate.graph;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Packets that an element keeps together, such as the fragments of a datagram, to be read as long
 * as they are there: see {@link Wiring#group}. For the worker's thread, on any other it throws
 * {@link WrongThreadException}; {@link #size} for any.
 */
public final class PacketGroup implements PacketStore {
  private final RunningElement element;
  private final OwnedBurst packets;
  private long receivedNs;

  /** Packets that are counted as held. */
  private int held;

  /** Buffers that the packets have. */
  private int buffers;

  private final AtomicInteger buffersOfAll;

  /**
   * @param buffersOfAll of this group and others, of any workers
   */
  PacketGroup(RunningElement element, int capacity, AtomicInteger buffersOfAll) {
    this.element = element;
    this.buffersOfAll = buffersOfAll;
    packets = element.replica().host().burst(capacity, element.drops(), this::receivedNs);
  }

  /** Time of reception of the first packet, in ns since the epoch. */
  public long receivedNs() {
    return receivedNs;
  }

  @Override
  public int size() {
    return packets.burst().live();
  }

  @Override
  public int capacity() {
    return packets.capacity();
  }

  /**
   * Takes a packet out of its burst and stores it.
   *
   * @return false if there is no room: the packet is where it was. The room of packets that left
   *     one by one is there again when all have left
   */
  public boolean add(Packet packet) {
    element.replica().host().owner().require();
    if (size() == 0 && !packets.isEmpty()) {
      end();
    }
    if (packets.room() == 0 || element.hasLeft()) {
      return false;
    }
    if (packets.isEmpty()) {
      receivedNs = packet.timestampNs();
    }
    packets.add(packet);
    buffered(packets.packet(packets.size() - 1).segments());
    resized();
    return true;
  }

  /** A cursor at packet {@code index}, in the order in which they were added. */
  public Packet packet(int index) {
    Packet packet = packets.packet(index);
    element.reads(this); // What leaves by the cursor is not held any more.
    return packet;
  }

  /**
   * Buffers that the pool has which packet {@code index} is of.
   *
   * @throws IllegalStateException if that packet was sent or dropped
   */
  public int poolBuffers(int index) {
    packets.packet(index);
    return element.replica().host().pools().of(packets.handle(index)).capacity();
  }

  /**
   * Appends the bytes of packet {@code tail} to packet {@code head}, without copying them. The
   * former is counted as dropped.
   *
   * @return false if their buffers are not of one pool: then nothing has changed
   */
  public boolean join(int head, int tail, DropReason reason) {
    boolean hasJoined = packets.join(head, tail, reason);
    resized();
    return hasJoined;
  }

  /** Sends all in the order in which they were added. Nothing is stored afterwards. */
  public void sendTo(Outlet outlet) {
    for (Packet packet : packets) {
      outlet.makeRoom();
      outlet.append(packets.owner().take(packet), receivedNs);
    }
    end();
  }

  @Override
  public void dropAll(DropReason reason) {
    packets.dropAll(reason);
    end();
  }

  private void end() {
    packets.finish(element.replica().host().freeBuffer());
    buffered(-buffers);
    resized();
  }

  private void buffered(int more) {
    buffers += more;
    buffersOfAll.addAndGet(more);
  }

  /** Counts as held what is. */
  void resized() {
    int now = packets.burst().live();
    if (now != held) {
      element.replica().host().ledger().addHeld(now - held);
      held = now;
    }
  }
}
