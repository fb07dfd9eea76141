package io.linerate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The steps that the tests of {@link PortConformance} take with a fixture. */
final class PortLab implements AutoCloseable {
  static final long TIMEOUT_MS = 180_000;

  private static final long TIMEOUT_NS = TIMEOUT_MS * 1_000_000;

  /** How long nothing may have come out, once the port has taken all: a file shows nothing yet. */
  private static final long TRAVEL_NS = 500_000_000;

  private final PortFixture fixture;

  PortLab(PortFixture fixture) {
    this.fixture = fixture;
  }

  Engine engine() {
    return fixture.engine();
  }

  DriverPort port() {
    return fixture.port();
  }

  void pump() {
    fixture.pump();
  }

  List<byte[]> sent() {
    return fixture.sent();
  }

  /** Makes the test's thread the one that uses the port's queues. */
  void begin() {
    engine().drivers().ports().forEach(DriverPort::start);
    port().attachThread();
  }

  @SuppressWarnings("ThreadPriorityCheck") // Lets the worker run where there are few CPUs.
  void pumpUntil(BooleanSupplier isDone) {
    long start = System.nanoTime();
    while (!isDone.getAsBoolean()) {
      fixture.pump();
      Thread.yield();
      if (System.nanoTime() - start > TIMEOUT_NS) {
        throw new AssertionError(
            "the port stands still: address=%s, statistics=%s, run=%s"
                .formatted(port().address(), port().statistics(), engine().summary()));
      }
    }
  }

  /** Waits for frames while they come out; a file shows them only when it is complete. */
  void pumpFor(long frames) {
    long start = System.nanoTime();
    int seen = 0;
    while (seen < frames && System.nanoTime() - start < (seen == 0 ? TRAVEL_NS : TIMEOUT_NS)) {
      fixture.pump();
      if (fixture.sent().size() > seen) {
        seen = fixture.sent().size();
        start = System.nanoTime();
      }
    }
  }

  /** Receives until the burst is full. */
  void fill(OwnedBurst burst) {
    RxQueue queue = port().rxQueue(0);
    pumpUntil(() -> {
      int before = burst.size();
      int count = queue.receive(burst.array());
      assertThat(burst.size()).isEqualTo(before + count);
      return burst.room() == 0;
    });
  }

  /** Makes packets and sends them all, as often as the queue has to be asked. */
  void send(PacketMaker maker, List<byte[]> frames) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(frames.size()));
    for (byte[] frame : frames) {
      pumpUntil(() -> maker.append(burst.array(), frame));
    }
    TxQueue queue = port().txQueue(0);
    int[] done = {0};
    pumpUntil(() -> {
      int taken = queue.send(burst.array(), done[0]);
      assertThat(taken).isBetween(0, burst.size() - done[0]);
      done[0] += taken;
      return done[0] == burst.size();
    });
    burst.clear();
  }

  /** Flushes the transmit queue until what it took has been sent or refused. */
  void settle() {
    TxQueue queue = port().txQueue(0);
    pumpUntil(() -> {
      queue.flush();
      return queue.undecided() == 0;
    });
  }

  void free(OwnedBurst burst) {
    burst.finish(new FreeBuffer(engine().drivers().pools(), 1));
  }

  void stopWorker() {
    engine().stop();
    assertThat(engine().awaitEnd(TIMEOUT_MS)).as("worker ends").isTrue();
  }

  /** Ends what the test's thread began; throws if a buffer is missing. */
  void closeEngine() {
    fixture.release();
    engine().close();
  }

  @Override
  public void close() throws IOException {
    try (fixture) {
      closeEngine();
    }
  }
}
