package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PortFixture;
import java.util.ArrayList;
import java.util.List;

/** A port whose other side is a port of the same engine, in the hands of the test's thread. */
final class RingFixture implements PortFixture {
  private final Engine engine;
  private final DriverPort port;
  private final TxQueue feed;
  private final RxQueue collect;
  private final List<byte[]> arriving;
  private final PacketMaker maker;
  private final FreeBuffer freeBuffer;
  private final OwnedBurst feeding = new OwnedBurst(new MbufArray(64));
  private final OwnedBurst collecting = new OwnedBurst(new MbufArray(64));
  private final List<byte[]> sent = new ArrayList<>();
  private int next;
  private int fed;

  private RingFixture(Engine engine, DriverPort port, DriverPort far, List<byte[]> arriving) {
    this.engine = engine;
    this.port = port;
    feed = far.txQueue(0);
    collect = far.rxQueue(0);
    this.arriving = arriving;
    maker = new PacketMaker("feed", engine.drivers().pools(), 4_096);
    freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
  }

  /** One end of a wire, through {@code decoration}, which is "" or ends with {@code port=}. */
  static RingFixture ofWire(EngineConfig config, List<byte[]> arriving, String decoration) {
    Engine engine = new Engine(config);
    DriverPort port = engine.drivers().open("near", decoration + "ring:wire");
    DriverPort far = engine.drivers().open("far", "ring:wire");
    return new RingFixture(engine, port, far, arriving);
  }

  static RingFixture ofLoopback(EngineConfig config, List<byte[]> arriving) {
    Engine engine = new Engine(config);
    DriverPort port = engine.drivers().open("loop", "ring:loop,loopback");
    return new RingFixture(engine, port, port, arriving);
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
    while (feeding.room() > 0
        && next < arriving.size()
        && maker.append(feeding.array(), arriving.get(next))) {
      next++;
    }
    fed += feed.send(feeding.array(), fed);
    if (fed == feeding.size()) {
      feeding.clear();
      fed = 0;
    }
  }

  private void collect() {
    collect.receive(collecting.array());
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
