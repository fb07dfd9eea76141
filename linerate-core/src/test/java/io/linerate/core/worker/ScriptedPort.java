package io.linerate.core.worker;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketView;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.List;

/** A port of one queue each way that does what a test says. */
record ScriptedPort(String name, RxQueue rx, TxQueue tx) implements DriverPort {
  private static final int PACKET_BYTES = 64;

  /** Brings nothing, and never ends. */
  static ScriptedPort silent() {
    return receiving(packets -> 0);
  }

  static ScriptedPort receiving(RxQueue queue) {
    return new ScriptedPort("source", queue, (packets, from) -> 0);
  }

  static ScriptedPort sending(TxQueue queue) {
    return new ScriptedPort("sink", packets -> 0, queue);
  }

  /** Brings packets with their {@link #number}, then ends. */
  static ScriptedPort source(Engine engine, int packets) {
    return receiving(new Source(engine.drivers().pools(), packets));
  }

  /** Takes every packet. */
  static ScriptedPort sink(Engine engine) {
    return sending(new Sink(engine.drivers().pools()));
  }

  /** The number of a packet of {@link #source}, from 0. */
  static long number(Packet packet) {
    return packet.u64(0);
  }

  /** Numbered packets, as many as there is room for, then the end. */
  static final class Source implements RxQueue {
    private final BufferPool pool;
    private final PacketView view = new PacketView(EpochClock.SYSTEM);
    private final int end;
    private int next;

    Source(PacketPools pools, int packets) {
      pool = pools.create("source", 8_192, 0, PACKET_BYTES);
      end = packets;
    }

    @Override
    public int receive(MbufArray packets) {
      return receive(packets, packets.room());
    }

    int receive(MbufArray packets, int most) {
      int first = packets.size();
      int count = Math.min(most, end - next);
      if (count == 0 || !pool.allocate(packets, count)) {
        return 0;
      }
      for (int i = 0; i < count; i++) {
        long mbuf = packets.handle(first + i);
        Mbuf.dataLength(mbuf, PACKET_BYTES);
        Mbuf.packetLength(mbuf, PACKET_BYTES);
        view.of(packets, first + i).u64(0, next++);
        view.end();
      }
      return count;
    }

    @Override
    public boolean exhausted() {
      return next == end;
    }
  }

  /** Takes packets while it may, and notes their numbers. */
  static final class Sink implements TxQueue {
    private final PacketPools pools;
    private final PacketView view = new PacketView(EpochClock.SYSTEM);

    /** Packets that it still takes. */
    int room = Integer.MAX_VALUE;

    /** Replaced as a whole. Any thread. */
    volatile List<Long> sent = List.of();

    Sink(PacketPools pools) {
      this.pools = pools;
    }

    @Override
    public int send(MbufArray packets, int from) {
      int count = Math.min(room, packets.size() - from);
      List<Long> more = new ArrayList<>(sent);
      for (int i = 0; i < count; i++) {
        more.add(number(view.of(packets, from + i)));
        view.end();
      }
      pools.free(Handles.address(packets.address(), from), count);
      room -= count;
      sent = List.copyOf(more);
      return count;
    }
  }

  @Override
  public PortProperties properties() {
    return new PortProperties(name, 1, 1);
  }

  @Override
  public RxQueue rxQueue(int index) {
    return rx;
  }

  @Override
  public TxQueue txQueue(int index) {
    return tx;
  }

  @Override
  public PortStatistics statistics() {
    return PortStatistics.NONE;
  }

  @Override
  public void close() {}
}
