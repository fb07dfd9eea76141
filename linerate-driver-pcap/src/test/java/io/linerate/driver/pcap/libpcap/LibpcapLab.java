package io.linerate.driver.pcap.libpcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Ports of an engine in the hands of a test's thread. */
final class LibpcapLab implements AutoCloseable {
  private static final long TIMEOUT_NS = 120_000_000_000L;

  /** A packet that was received. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
  record Received(long timestampNs, byte[] bytes) {}

  final Engine engine = new Engine(EngineConfig.DEFAULT.withBuffers(4_096));
  final PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 4_096);
  private final FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);

  static void assumeLibpcap() {
    assumeTrue(LibpcapLibrary.LOADED.isLoaded(), "skipped: libpcap is missing: install libpcap0.8");
  }

  DriverPort open(String address) {
    DriverPort port = engine.drivers().open(address);
    port.start();
    return port;
  }

  /** Sends all, as often as the queue has to be asked. */
  void send(DriverPort port, List<byte[]> frames) {
    for (int first = 0; first < frames.size(); first += 64) {
      OwnedBurst burst = new OwnedBurst(new MbufArray(64));
      for (byte[] frame : frames.subList(first, Math.min(first + 64, frames.size()))) {
        assertThat(maker.append(burst.array(), frame)).isTrue();
      }
      sendAll(port, burst);
    }
  }

  /** Sends a burst, whose packets have ended then. */
  static void sendAll(DriverPort port, OwnedBurst burst) {
    int[] sent = {0};
    await(() -> (sent[0] += port.txQueue(0).send(burst.array(), sent[0])) == burst.size());
    port.txQueue(0).flush();
    burst.clear();
  }

  /** Waits for so many packets. */
  List<Received> receive(DriverPort port, int count) {
    List<Received> all = new ArrayList<>();
    await(() -> {
      receiveSome(port.rxQueue(0), all);
      return all.size() >= count;
    });
    return all;
  }

  /** Receives until nothing will ever come again. */
  List<Received> receiveAll(DriverPort port) {
    List<Received> all = new ArrayList<>();
    while (!port.rxQueue(0).exhausted()) {
      receiveSome(port.rxQueue(0), all);
    }
    return all;
  }

  void receiveSome(RxQueue queue, List<Received> all) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(32));
    queue.receive(burst.array());
    for (int i = 0; i < burst.size(); i++) {
      all.add(new Received(burst.packet(i).timestampNs(), burst.packet(i).toBytes()));
    }
    burst.finish(freeBuffer);
  }

  static void await(BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(TIMEOUT_NS);
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
