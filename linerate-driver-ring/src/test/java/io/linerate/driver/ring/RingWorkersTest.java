package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Workers on the queues of rings. */
final class RingWorkersTest {
  private static void await(BooleanSupplier isDone) {
    long end = System.nanoTime() + 120_000_000_000L;
    while (!isDone.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldServeOneQueueWithEachWorker() {
    int workers = 3;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      DriverPort in = engine.drivers().open("in", "ring:in");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      DriverPort out = engine.drivers().open("out", "ring:out");
      DriverPort collect = engine.drivers().open("collect", "ring:out");
      Set<String> threads = ConcurrentHashMap.newKeySet();
      for (Worker worker : engine.workers()) {
        Output output = worker.output(out);
        worker.input(
            in,
            burst -> {
              threads.add(Thread.currentThread().getName());
              output.sendAll(burst);
            });
      }
      engine.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 256);
      for (int queue = 0; queue < workers; queue++) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(10 + queue));
        Frames.numbered(10 + queue, 60 + queue)
            .forEach(frame -> maker.append(burst.array(), frame));
        assertThat(feed.txQueue(queue).send(burst.array(), 0)).isEqualTo(10 + queue);
        burst.clear();
      }
      for (int queue = 0; queue < workers; queue++) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(64));
        int expected = 10 + queue;
        int number = queue;
        await(() -> {
          collect.rxQueue(number).receive(burst.array());
          return burst.size() == expected;
        });
        for (Packet packet : burst) {
          assertThat(packet.length()).isEqualTo(60 + queue);
        }
        burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
      }
      assertThat(threads).containsExactlyInAnyOrder("worker-0", "worker-1", "worker-2");
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().received()).isEqualTo(33);
      assertThat(engine.summary().packets().sent()).isEqualTo(33);
    }
  }

  @Test
  void shouldEndWhenTheOtherEndOfItsRingIsClosedAndDrained() {
    try (Engine engine = new Engine()) {
      DriverPort in = engine.drivers().open("ring:in");
      DriverPort feed = engine.drivers().open("ring:in");
      List<Long> numbers = new ArrayList<>();
      engine
          .worker()
          .input(
              in,
              burst -> {
                for (Packet packet : burst) {
                  numbers.add(Frames.number(packet));
                }
              });
      feed(engine, feed, 500);
      feed.close();
      assertThat(engine.run().packets().received()).isEqualTo(500);
      assertThat(numbers).hasSize(500).isSorted();
    }
  }

  private static void feed(Engine engine, DriverPort port, int count) {
    PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
    OwnedBurst burst = new OwnedBurst(new MbufArray(count));
    Frames.numbered(count, 64).forEach(frame -> maker.append(burst.array(), frame));
    assertThat(port.txQueue(0).send(burst.array(), 0)).isEqualTo(count);
  }
}
