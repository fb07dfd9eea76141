package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.VethPair;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets that share the rings of one queue of the device, each in a thread of its own. */
class XdpSpreadTest {
  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final int QUEUES = 3;
  private static final int FRAMES = 2_000;
  private static final long IDLE_NS = 50_000;

  /** Sent and not received at most, of each thread: half of what is between two veths. */
  private static final int WINDOW = 32;

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldSendThroughEverySocketAtOnceAndFreeAll(String mode) throws InterruptedException {
    try (VethPair _ = Lab.veth("w");
        Engine engine = new Engine(EngineConfig.DEFAULT.withMaxWorkers(QUEUES))) {
      DriverPort near = engine.drivers().open("xdp:" + Lab.name("wa") + ",spread=3,mode=" + mode);
      DriverPort far = engine.drivers().open("packet:" + Lab.name("wb") + ",queues=1,rx=32768");
      near.start();
      far.start();
      assertThat(near.rxQueues()).isEqualTo(QUEUES);
      assertThat(near.txQueues()).isEqualTo(QUEUES);
      List<Thread> senders =
          IntStream.range(0, QUEUES)
              .mapToObj(queue -> Thread.ofPlatform().start(() -> send(engine, near, queue)))
              .toList();
      OwnedBurst received = new OwnedBurst(new MbufArray(64));
      long start = System.nanoTime();
      for (int count = 0; count < QUEUES * FRAMES; ) {
        int more = far.rxQueue(0).receive(received.array());
        count += more;
        if (more == 0) {
          LockSupport.parkNanos(IDLE_NS);
        }
        received.finish(new FreeBuffer(engine.drivers().pools(), 1));
        assertThat(System.nanoTime() - start).as("ns, with %d", count).isLessThan(TIMEOUT_NS);
      }
      for (Thread sender : senders) {
        sender.join();
      }
      for (int queue = 0; queue < QUEUES; queue++) {
        near.txQueue(queue).decide(); // What others have collected is counted here, too.
      }
      assertThat(near.statistics().txPackets()).isEqualTo(QUEUES * FRAMES);
      assertThat(near.statistics().errors()).isZero();
    } // The engine throws if a buffer is missing.
  }

  private static void send(Engine engine, DriverPort port, int queue) {
    PacketMaker maker = new PacketMaker("maker" + queue, engine.drivers().pools(), 256);
    OwnedBurst burst = new OwnedBurst(new MbufArray(16));
    byte[] frame = Frames.numbered(1, 64).getFirst();
    long start = System.nanoTime();
    for (int sent = 0; sent < FRAMES; sent++) {
      assertThat(maker.append(burst.array(), frame)).isTrue();
      while (port.txQueue(queue).undecided() > WINDOW
          || port.txQueue(queue).send(burst.array(), 0) == 0) {
        port.txQueue(queue).flush();
        LockSupport.parkNanos(IDLE_NS);
        assertThat(System.nanoTime() - start).as("ns, with %d", sent).isLessThan(TIMEOUT_NS);
      }
      burst.clear();
    }
    while (port.txQueue(queue).undecided() > 0) {
      port.txQueue(queue).flush();
      LockSupport.parkNanos(IDLE_NS);
      assertThat(System.nanoTime() - start).as("ns until all left").isLessThan(TIMEOUT_NS);
    }
  }

  @Test
  void shouldReceiveInSeveralThreadsWithOneFillRing() throws InterruptedException {
    try (VethPair _ = Lab.veth("v");
        Engine engine = new Engine(EngineConfig.DEFAULT.withDescriptors(64))) {
      DriverPort near = engine.drivers().open("xdp:" + Lab.name("va") + ",spread=3");
      DriverPort far = engine.drivers().open("packet:" + Lab.name("vb"));
      near.start();
      far.start();
      long[] counts = new long[QUEUES];
      List<Thread> receivers = new ArrayList<>();
      for (int queue = 0; queue < QUEUES; queue++) {
        int own = queue;
        receivers.add(Thread.ofPlatform().start(() -> receive(engine, near, own, counts)));
      }
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 256);
      OwnedBurst burst = new OwnedBurst(new MbufArray(16));
      byte[] frame = Frames.numbered(1, 64).getFirst();
      for (int i = 1; i <= FRAMES; i++) { // Several times what the fill ring has room for.
        frame[12] = (byte) 0x88;
        frame[13] = (byte) i;
        assertThat(maker.append(burst.array(), frame)).isTrue();
        assertThat(far.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
        burst.clear();
        if (i % WINDOW == 0 || i == FRAMES) {
          far.txQueue(0).flush();
          awaitReceived(near, i);
        }
      }
      receivers.forEach(Thread::interrupt);
      for (Thread receiver : receivers) {
        receiver.join();
      }
      assertThat(near.statistics().missed()).isZero();
      assertThat(counts).doesNotContain(0);
      assertThat(counts[0] + counts[1] + counts[2]).isEqualTo(FRAMES);
    }
  }

  private static void awaitReceived(DriverPort port, int wanted) {
    long start = System.nanoTime();
    while (port.statistics().rxPackets() + port.statistics().missed() < wanted) {
      assertThat(System.nanoTime() - start).as("ns for %d", wanted).isLessThan(TIMEOUT_NS);
      LockSupport.parkNanos(IDLE_NS);
    }
  }

  private static void receive(Engine engine, DriverPort port, int queue, long[] counts) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    while (!Thread.currentThread().isInterrupted()) {
      counts[queue] += port.rxQueue(queue).receive(burst.array());
      if (burst.isEmpty()) {
        LockSupport.parkNanos(IDLE_NS);
      }
      burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
    }
  }
}
