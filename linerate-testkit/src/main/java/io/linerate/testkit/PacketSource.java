package io.linerate.testkit;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import java.util.List;

/**
 * A port that brings given frames and is exhausted then: the way to make a worker send. It needs no
 * address and no driver: {@code worker.input(new PacketSource(engine.drivers().pools(), frames),
 * handler)}.
 */
public final class PacketSource implements DriverPort {
  private static final int CAPACITY = 8_192;

  private final PacketMaker maker;
  private final List<byte[]> frames;
  private final RxQueue queue = new Queue();

  // Written by the worker only; others read it after the worker has ended.
  private int next;
  private long bytes;

  public PacketSource(PacketPools pools, List<byte[]> frames) {
    maker = new PacketMaker("source", pools, CAPACITY);
    this.frames = frames;
  }

  @Override
  public PortProperties properties() {
    return new PortProperties("source", 1, 0);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return queue;
  }

  @Override
  public TxQueue txQueue(int index) {
    throw new IndexOutOfBoundsException("a source has no transmit queue: index=" + index);
  }

  @Override
  public PortStatistics statistics() {
    return new PortStatistics(next, bytes, 0, 0, 0, 0);
  }

  @Override
  public void close() {}

  private final class Queue implements RxQueue {
    @Override
    public int receive(MbufArray packets) {
      int before = packets.size();
      while (next < frames.size() && packets.room() > 0) {
        byte[] frame = frames.get(next);
        if (!maker.append(packets, frame)) {
          break;
        }
        next++;
        bytes += frame.length;
      }
      return packets.size() - before;
    }

    @Override
    public boolean exhausted() {
      return next == frames.size();
    }
  }
}
