package io.linerate.testkit;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import java.util.ArrayList;
import java.util.List;

/**
 * A port whose other side is a port of the same engine, in the hands of the test's thread, or
 * itself.
 */
public final class PairFixture implements PortFixture {
  private final Engine engine;
  private final DriverPort port;
  private final DriverPort far;
  private final List<byte[]> arriving;
  private final PacketMaker maker;
  private final FreeBuffer freeBuffer;
  private final OwnedBurst feeding = new OwnedBurst(new MbufArray(64));
  private final OwnedBurst collecting = new OwnedBurst(new MbufArray(64));
  private final List<byte[]> sent = new ArrayList<>();
  private final int maxOnTheWay;
  private int next;
  private int fed;

  /**
   * A fixture whose other side loses nothing.
   *
   * @param near address of the port under test
   * @param other address of its other side; "" when it receives what it sends
   */
  public PairFixture(EngineConfig config, String near, String other, List<byte[]> arriving) {
    this(config, near, other, arriving, Integer.MAX_VALUE);
  }

  /**
   * A fixture whose other side loses what comes too fast.
   *
   * @param maxOnTheWay packets fed and not yet received at most, for a port that loses what does
   *     not fit
   */
  public PairFixture(
      EngineConfig config, String near, String other, List<byte[]> arriving, int maxOnTheWay) {
    this.maxOnTheWay = maxOnTheWay;
    engine = new Engine(config);
    try {
      port = engine.drivers().open("near", near);
      far = other.isEmpty() ? port : engine.drivers().open("far", other);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
    this.arriving = arriving;
    maker = new PacketMaker("feed", engine.drivers().pools(), 4_096);
    freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public DriverPort port() {
    return port;
  }

  @Override
  public void pump() {
    if (arriving.isEmpty()) {
      collect();
    } else {
      feed();
    }
  }

  private void feed() {
    if (maxOnTheWay < arriving.size() && next + feeding.capacity() > received() + maxOnTheWay) {
      return;
    }
    while (feeding.room() > 0
        && next < arriving.size()
        && maker.append(feeding.array(), arriving.get(next))) {
      next++;
    }
    fed += far.txQueue(0).send(feeding.array(), fed);
    far.txQueue(0).flush();
    if (fed == feeding.size()) {
      feeding.clear();
      fed = 0;
    }
  }

  /** Without those that wait in the ring of a device, which counts them as received. */
  private long received() {
    long counted = port.statistics().rxPackets();
    return engine.queues().isEmpty()
        ? counted
        : Math.min(counted, engine.summary().packets().received());
  }

  private void collect() {
    far.rxQueue(0).receive(collecting.array());
    for (Packet packet : collecting) {
      sent.add(packet.toBytes());
      packet.drop(DropReason.CONSUMED);
    }
    collecting.finish(freeBuffer);
  }

  @Override
  public List<byte[]> sent() {
    return sent;
  }

  @Override
  public void release() {
    for (; fed < feeding.size(); fed++) {
      engine.drivers().pools().free(Handles.address(feeding.array().address(), fed), 1);
    }
    feeding.clear();
    fed = 0;
  }
}
