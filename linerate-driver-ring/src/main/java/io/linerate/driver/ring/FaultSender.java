package io.linerate.driver.ring;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.TxQueue;
import io.linerate.core.port.TxQueueDecorator;

/**
 * Disturbs what a transmit queue is given, and passes it on when its time has come. What it holds
 * is undecided until then. While the queue behind it is full it takes no more than it has room for.
 */
final class FaultSender implements TxQueueDecorator {
  /** How long a full queue is tried again at the end. */
  private static final long LAST_FLUSH_NS = 200_000_000;

  private final TxQueue inner;
  private final FaultMaker maker;
  private final PacketPools pools;

  /** Whether packets have to be finished before they come here, so that damage shows. */
  private final boolean damages;

  /** What is lost here, and what the queue behind it refuses. */
  private final DropCounts refused;

  /** Packets whose time has come. */
  private final MbufArray due = new MbufArray(FaultMaker.BATCH);

  private boolean isClosed;

  /**
   * @param refused where the maker counts what is lost
   */
  FaultSender(
      TxQueue inner, FaultMaker maker, PacketPools pools, boolean damages, DropCounts refused) {
    this.inner = inner;
    this.maker = maker;
    this.pools = pools;
    this.damages = damages;
    this.refused = refused;
    DropCounts its = inner.refused();
    if (its != null) {
      its.whole(refused);
    }
  }

  @Override
  public TxQueue inner() {
    return inner;
  }

  FaultMaker maker() {
    return maker;
  }

  @Override
  public int send(MbufArray packets, int from) {
    if (isClosed) {
      throw new IllegalStateException("fault port is closed; open another");
    }
    long nowNs = maker.nowNs();
    pass(nowNs);
    int taken = 0;
    int offered;
    int n = 0;
    do {
      offered = Math.min(FaultMaker.BATCH, packets.size() - from - taken);
      n = offered > 0 && hasRoom() ? take(packets, from + taken, offered, nowNs) : 0;
      taken += n;
    } while (n > 0 && n == offered && passQuietly(nowNs));
    maker.publish();
    Throwable failure = maker.failure();
    if (failure != null && taken == 0 && offered > 0 && hasRoom()) {
      throw FaultReceiver.thrown(failure);
    }
    return taken;
  }

  private boolean hasRoom() {
    return due.isEmpty() && maker.hasRoom();
  }

  private int take(MbufArray packets, int from, int count, long nowNs) {
    MbufArray taken = maker.array();
    Handles.copy(Handles.address(packets.address(), from), taken.reserve(count), count);
    taken.extend(count, null);
    return maker.disturb(nowNs, true);
  }

  /** As {@link #pass}, after packets were taken: what is thrown comes again with the next call. */
  private boolean passQuietly(long nowNs) {
    try {
      pass(nowNs);
      return true;
    } catch (RuntimeException | Error e) {
      if (e instanceof StackOverflowError) {
        throw e;
      }
      return false;
    }
  }

  /** Passes on whatever is due, as far as it is taken. */
  private void pass(long nowNs) {
    maker.line.release(due, nowNs, false);
    while (!due.isEmpty() && passDue()) {
      maker.line.release(due, nowNs, false);
    }
  }

  /** Whether all was taken. */
  private boolean passDue() {
    try {
      due.removeFirst(inner.send(due, 0));
      return due.isEmpty();
    } catch (StackOverflowError e) { // They may be its already.
      refused.add(DropReason.TX_ERROR, due.size());
      due.clear();
      throw e;
    }
  }

  @Override
  public void flush() {
    pass(maker.nowNs());
    maker.publish();
    inner.flush();
  }

  /** What is held leaves at once. */
  @Override
  public void decide() {
    DropReason reason = DropReason.TX_FULL;
    try {
      passAll();
    } catch (RuntimeException | Error e) {
      reason = DropReason.TX_ERROR;
      throw e;
    } finally {
      refuseHeld(reason);
      inner.decide();
    }
  }

  private void passAll() {
    long startNs = System.nanoTime();
    do {
      Thread.onSpinWait();
      maker.line.release(due, Long.MAX_VALUE, true);
      if (!due.isEmpty()) {
        passDue();
      }
      inner.flush();
    } while (held() > 0 && System.nanoTime() - startNs < LAST_FLUSH_NS);
  }

  private void refuseHeld(DropReason reason) {
    while (held() > 0) {
      maker.line.release(due, Long.MAX_VALUE, true);
      int count = due.size();
      due.clear();
      refused.addPackets(reason, due.address(), count);
      pools.free(due.address(), count);
    }
    maker.publish();
  }

  private int held() {
    return due.size() + maker.line.size();
  }

  @Override
  public DropCounts refused() {
    return refused;
  }

  @Override
  public int undecided() {
    return held() + inner.undecided();
  }

  @Override
  public long made() {
    return maker.counts.get(FaultMaker.DUPLICATED) + inner.made();
  }

  @Override
  public int waiting() {
    return held() + inner.waiting();
  }

  @Override
  public boolean finishes(long mbuf) {
    return !damages && inner.finishes(mbuf);
  }

  /** Each is lost, repeated, delayed by itself. */
  @Override
  public boolean cutsDatagrams() {
    return false;
  }

  @Override
  public boolean finishesChecksums() {
    return !damages && inner.finishesChecksums();
  }

  /** Frees what is held: nobody has asked to {@link #decide}. */
  void close() {
    isClosed = true;
    int count = due.size();
    due.clear();
    pools.free(due.address(), count);
    maker.counts.add(FaultMaker.LEFT, count);
    maker.close();
  }
}
