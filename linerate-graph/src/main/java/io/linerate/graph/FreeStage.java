package io.linerate.graph;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.statistics.PacketLedger;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.WorkerResources;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A stage that is left to the engine: a graph's part that is to the others a worker of its own, and
 * whose rounds are run by whichever worker has it. Its elements stay the same wherever it is.
 */
final class FreeStage implements EngineHostWorker {
  private static final System.Logger LOG = System.getLogger(FreeStage.class.getName());

  private final Engine engine;
  private final BurstOwner owner = new BurstOwner();

  /** What its elements have thrown. */
  private final FailureLog failures = new FailureLog(LOG);

  private final ConcurrentLinkedQueue<Runnable> actions = new ConcurrentLinkedQueue<>();

  /** Of the worker that has it; null on its way. Written by threads that have it. */
  private volatile @Nullable Replica home;

  /** Number of the worker that has it, or had it last. */
  private volatile int worker;

  /** Why it is there. */
  private volatile String reason = "";

  /** Whether it stays where it was put by hand. */
  private volatile boolean isFixed;

  FreeStage(Engine engine) {
    this.engine = engine;
    engine.drivers().countFailures(failures);
  }

  /** What a worker would lend. There are no packets. */
  WorkerResources resources() {
    DropCounts drops = new DropCounts(owner);
    FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), engine.config().freeBurst());
    OwnedBurst arrived = new OwnedBurst(new MbufArray(1), drops, EpochClock.SYSTEM, owner);
    return new WorkerResources(
        arrived.burst(), drops, freeBuffer, new PacketLedger(), owner, failures);
  }

  @Nullable Replica home() {
    return home;
  }

  int worker() {
    return worker;
  }

  String reason() {
    return reason;
  }

  void reason(String why) {
    reason = why;
  }

  boolean isFixed() {
    return isFixed;
  }

  void isFixed(boolean isByHand) {
    isFixed = isByHand;
  }

  /** On the thread that has it from now on; null: that had it until now. */
  void home(@Nullable Replica next) {
    home = next;
    if (next != null) {
      worker = next.host().id();
      owner.bind();
      runActions();
    }
  }

  /** Between two of its rounds, wherever it is then. */
  @Override
  public void submit(Runnable action) {
    actions.add(action);
    Replica now = home;
    if (now != null) {
      now.host().worker().submit(() -> runIfAt(now));
    }
  }

  @SuppressWarnings("ReferenceEquality") // Each is itself only.
  private void runIfAt(Replica replica) {
    if (home == replica) {
      runActions();
    }
  }

  private void runActions() {
    for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
      action.run();
    }
  }

  @Override
  public void receive(String port, BurstHandler handler) {
    throw noPackets();
  }

  @Override
  public BurstHandler transmit(String port, DropCounts refused) {
    throw noPackets();
  }

  private static IllegalStateException noPackets() {
    return new IllegalStateException("stage that is left to the engine has no packets");
  }

  @Override
  public Engine engine() {
    return engine;
  }
}
