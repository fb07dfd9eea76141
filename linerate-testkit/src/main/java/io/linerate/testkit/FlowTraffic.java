package io.linerate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbered packets of many flows into the queues of one port, and out of all queues of another:
 * each flow has to come out whole and in order. A thread feeds, another collects.
 */
public final class FlowTraffic implements AutoCloseable {
  private static final int FLOWS = 64;
  private static final int BURST = 32;
  private static final int NUMBER = 14;
  private static final int FLOW = 22;

  private final Engine engine;
  private final DriverPort feed;
  private final DriverPort collect;
  private final int queues;
  private final long pauseNs;
  private final PacketMaker maker;
  private final AtomicLong fed = new AtomicLong();
  private final AtomicLong collected = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Thread feeder = new Thread(() -> run(this::feed), "feeder");
  private final Thread collector = new Thread(() -> run(this::collect), "collector");
  private volatile boolean isFed;
  private volatile boolean isOver;

  /**
   * @param queues of {@code feed} that get packets
   * @param pauseNs between two bursts
   */
  public FlowTraffic(Engine engine, DriverPort feed, DriverPort collect, int queues, long pauseNs) {
    this.engine = engine;
    this.feed = feed;
    this.collect = collect;
    this.queues = queues;
    this.pauseNs = pauseNs;
    maker = new PacketMaker("traffic", engine.drivers().pools(), 8_192);
  }

  /** Starts both threads: after the engine. */
  public void start() {
    feeder.start();
    collector.start();
  }

  private void run(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  private void feed() {
    long[] next = new long[FLOWS];
    byte[] frame = Frames.numbered(1, 64).getFirst();
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    TxQueue[] out = IntStream.range(0, queues).mapToObj(feed::txQueue).toArray(TxQueue[]::new);
    OwnedBurst burst = new OwnedBurst(new MbufArray(BURST));
    for (int turn = 0; turn == 0 || !isFed; turn++) {
      int queue = turn % queues;
      for (int i = 0; i < BURST; i++) {
        int flow = queue + queues * ((turn + i) % (FLOWS / queues));
        bytes.putLong(NUMBER, next[flow]).putLong(FLOW, flow);
        if (maker.append(burst.array(), frame)) {
          next[flow]++;
        }
      }
      send(out[queue], burst);
      LockSupport.parkNanos(pauseNs);
    }
  }

  private void send(TxQueue queue, OwnedBurst burst) {
    int sent = 0;
    while (sent < burst.size() && !isOver) {
      sent += queue.send(burst.array(), sent);
      Thread.onSpinWait();
    }
    fed.addAndGet(sent);
    engine
        .drivers()
        .pools()
        .free(Handles.address(burst.array().address(), sent), burst.size() - sent);
    burst.clear();
  }

  private void collect() {
    long[] next = new long[FLOWS];
    RxQueue[] in =
        IntStream.range(0, collect.rxQueues()).mapToObj(collect::rxQueue).toArray(RxQueue[]::new);
    OwnedBurst burst = new OwnedBurst(new MbufArray(BURST));
    FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), BURST);
    while (!isOver) {
      int count = 0;
      for (RxQueue queue : in) {
        count += queue.receive(burst.array());
        for (Packet packet : burst) {
          int flow = (int) packet.u64(FLOW);
          long number = packet.u64(NUMBER);
          if (number != next[flow]) {
            throw new AssertionError(
                "flow %d: packet %d instead of %d".formatted(flow, number, next[flow]));
          }
          next[flow]++;
          packet.drop(DropReason.CONSUMED);
        }
        burst.finish(freeBuffer);
      }
      collected.addAndGet(count);
      if (count == 0) {
        freeBuffer.flush();
        LockSupport.parkNanos(20_000);
      }
    }
    freeBuffer.flush();
  }

  /**
   * Packets that have come out until now.
   *
   * @throws AssertionError if a flow lost one, or its order
   */
  public long collected() {
    throwFailure();
    return collected.get();
  }

  private void throwFailure() {
    Throwable e = failure.get();
    if (e != null) {
      throw new AssertionError("traffic failed", e);
    }
  }

  /** Ends the feeding and waits until all has arrived. */
  public void finish() throws InterruptedException {
    isFed = true;
    join(feeder);
    long end = System.nanoTime() + 120_000_000_000L;
    while (collected() < fed.get() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    close();
    throwFailure();
    assertThat(collected.get()).as("packets collected").isEqualTo(fed.get()).isPositive();
  }

  @Override
  public void close() {
    isFed = true;
    isOver = true;
    join(feeder);
    join(collector);
  }

  private static void join(Thread thread) {
    try {
      thread.join(120_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
