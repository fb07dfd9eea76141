package io.linerate.driver.ring;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.FreeBuffer;
import io.linerate.core.memory.Handles;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
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
  private final Port port;
  private final TxQueue feed;
  private final RxQueue collect;
  private final List<byte[]> arriving;
  private final PacketMaker maker;
  private final FreeBuffer home;
  private final Burst feeding = new Burst(64);
  private final Burst collecting = new Burst(64);
  private final List<byte[]> sent = new ArrayList<>();
  private int next;
  private int fed;

  private RingFixture(Engine engine, Port port, Port far, List<byte[]> arriving) {
    this.engine = engine;
    this.port = port;
    feed = far.txQueue(0);
    collect = far.rxQueue(0);
    this.arriving = arriving;
    maker = new PacketMaker("feed", engine.pools(), 4_096);
    home = new FreeBuffer(engine.pools(), 1);
  }

  /** One end of a wire, through {@code decoration}, which is "" or ends with {@code port=}. */
  static RingFixture ofWire(EngineConfig config, List<byte[]> arriving, String decoration) {
    Engine engine = new Engine(config);
    Port port = engine.port("near", decoration + "ring:wire");
    Port far = engine.port("far", "ring:wire");
    return new RingFixture(engine, port, far, arriving);
  }

  static RingFixture ofLoopback(EngineConfig config, List<byte[]> arriving) {
    Engine engine = new Engine(config);
    Port port = engine.port("loop", "ring:loop,loopback");
    return new RingFixture(engine, port, port, arriving);
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public Port port() {
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
        && maker.append(feeding, arriving.get(next))) {
      next++;
    }
    fed += feed.send(feeding, fed);
    if (fed == feeding.size()) {
      feeding.clear();
      fed = 0;
    }
  }

  private void collect() {
    collect.receive(collecting);
    for (Packet packet : collecting) {
      sent.add(packet.toBytes());
      packet.drop(DropReason.CONSUMED);
    }
    collecting.finish(home);
  }

  @Override
  public List<byte[]> sent() {
    return sent;
  }

  @Override
  public void release() {
    for (; fed < feeding.size(); fed++) {
      engine.pools().free(Handles.address(feeding.handles(), fed), 1);
    }
    feeding.clear();
    fed = 0;
  }
}
