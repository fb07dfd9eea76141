package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Crossing;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Stores packets, and sends them on in the rounds of the worker that is behind it: the joint of a
 * pipeline. Where both sides are on the same worker, it ends a cycle.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  capacity: packets, for each worker that feeds it; four bursts or more
 *             isLossless: while it is nearly full, the ports and queues before it are not polled, so
 *             that nothing is lost here: a file waits, a device counts what it misses. Queue.dropping
 *             makes one that drops instead
 *             worker: the only one that empties it, whatever is behind it; -1: those that what is
 *             behind it is on. Queue.to(worker) makes one that hands over to a worker
 * drops       queue_full: no room, where it drops: made so, on a cycle of queues, which would wait
 *             for each other, or when elements before it make more than four packets of one
 *             stopped: it was closed before they could be sent
 * reads       waiting: packets inside; capacity
 * workers     may be fed on one worker and emptied on another: g.on(0, in).on(1, out). Fed on many
 *             and emptied on one, or each on its own, it keeps the order of what each worker put in
 * example     g.chain(in, g.add("queue", new Queue(1_024)), out)
 * </pre>
 *
 * <p>At an orderly end everything inside is still sent.
 */
public record Queue(int capacity, boolean isLossless, int worker) implements Element {
  public static final DropReason FULL = DropReason.named("queue_full");

  private static final int MAX_CAPACITY = 1 << 24;

  /** One that holds back what feeds it. */
  public Queue(int capacity) {
    this(capacity, true);
  }

  public Queue(int capacity, boolean isLossless) {
    this(capacity, isLossless, Shape.ANY_WORKER);
  }

  /** One that drops what it has no room for. */
  public static Queue dropping(int capacity) {
    return new Queue(capacity, false);
  }

  /**
   * The same, emptied on one worker only: with one for each worker behind a HashSwitch, what is
   * behind all of them may be on every worker.
   */
  public Queue to(int onlyWorker) {
    return new Queue(capacity, isLossless, onlyWorker);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().crossing(worker).anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .require(
            capacity > 0 && capacity <= MAX_CAPACITY,
            "bad capacity: capacity=%d; write 1 to %d".formatted(capacity, MAX_CAPACITY))
        .require(
            worker >= Shape.ANY_WORKER,
            "no such worker: worker=" + worker + "; write 0 or more, or -1 for any")
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Crossing packets = wiring.crossing(capacity, isLossless);
    Outlet out = wiring.output("out");
    int max = wiring.maxBurst();
    wiring.input(
        "in",
        burst -> {
          packets.put(burst);
          burst.dropAll(FULL);
        });
    wiring.onRound(new Emptying(packets, out, max));
    wiring.onLeave(() -> packets.finish(out));
    wiring.count("waiting", packets::size);
    wiring.read("capacity", ValueType.NUMBER, () -> (long) capacity);
  }

  private record Emptying(Crossing packets, Outlet out, int max) implements Round {
    @Override
    public int run() {
      return packets.sendTo(out, max);
    }

    @Override
    public long restNs(Runnable wake) {
      return packets.restNs(wake);
    }
  }
}
