package io.linerate.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The stages that one worker runs of those that are left to the engine: see {@link FreeStages}. For
 * the worker's thread, but for {@link #offer} and {@link #bond}.
 */
final class WorkerStages {
  private final Replica worker;

  /** Upstream first. Replaced as a whole; other threads read it. */
  private volatile Replica[] stages = new Replica[0];

  /** Guarded by itself, as is {@link #isClosed}. */
  private final Queue<FreeStages.Arrival> arriving = new ArrayDeque<>();

  private boolean isClosed;

  /** Queues that elements wait for, of the worker itself and of stages that are here. */
  private final List<String> waitedFor = new ArrayList<>();

  WorkerStages(Replica worker) {
    this.worker = worker;
  }

  /** Stages that were placed here before the worker began belong to this thread from now on. */
  void begin() {
    for (Replica stage : stages) {
      stage.freeStage().home(worker);
    }
  }

  // --- come and go ---

  /** Runs a stage from now on. Before the worker runs, any thread. */
  void take(Replica stage) {
    List<Replica> all = new ArrayList<>(List.of(stages));
    all.add(stage);
    all.sort(Comparator.comparingInt(one -> one.host().id()));
    stages = all.toArray(new Replica[0]);
    stage.freeStage().home(worker);
  }

  /** Will run a stage, which no worker has; false: it runs none any more. Any thread. */
  boolean offer(FreeStages.Arrival arrival) {
    synchronized (arriving) {
      return !isClosed && arriving.add(arrival);
    }
  }

  /** Runs what has arrived. */
  void takeArrived() {
    FreeStages.Arrival next = nextArrived();
    for (; next != null; next = nextArrived()) {
      next.stage().freeStage().reason(next.reason());
      take(next.stage());
      next.done().complete(true);
    }
  }

  private FreeStages.@Nullable Arrival nextArrived() {
    synchronized (arriving) {
      return arriving.poll();
    }
  }

  /** Runs a stage no longer; false: it was not here, or the worker is ending. */
  boolean release(Replica stage) {
    List<Replica> all = new ArrayList<>(List.of(stages));
    if (worker.isEnding() || !all.remove(stage)) {
      return false;
    }
    stage.freeStage().home(null);
    stages = all.toArray(new Replica[0]);
    return true;
  }

  // --- rounds ---

  /** Runs a round of each, and returns what there was to do. */
  int rounds() {
    int work = 0;
    for (Replica stage : stages) {
      work += stage.ownRounds();
    }
    return work;
  }

  /** As {@link Round#restNs}, of all. */
  long restNs(Runnable wake) {
    long least = Long.MAX_VALUE;
    for (Replica stage : stages) {
      least = Math.min(least, stage.ownRestNs(wake));
    }
    return least;
  }

  /** Whether something waits in queues that stages empty. */
  boolean haveWork() {
    for (Replica stage : stages) {
      if (stage.hasWaiting()) {
        return true;
      }
    }
    return false;
  }

  /** Why the worker cannot be retired; null: not for stages. Any thread. */
  @Nullable String bond() {
    Replica[] all = stages;
    return all.length == 0
        ? null
        : "stage="
            + String.join(", ", all[0].elements().keySet())
            + ": it was left to the engine, and is here; move it to another worker";
  }

  // --- while something is waited for ---

  /**
   * Empties queues of the worker and of its stages while an element of theirs waits for room in a
   * queue, so that workers that feed each other do not wait for each other. Only those of which
   * nothing comes to elements that wait: no element is called while it is at work.
   *
   * @param queue that is waited for
   * @return whether anything was moved
   */
  boolean workWhileWaiting(String queue) {
    waitedFor.add(queue);
    int work = worker.emptyQueues(waitedFor) + workWhileWaiting();
    waitedFor.removeLast();
    return work > 0;
  }

  /** Runs stages that are here, or come, while the worker waits: perhaps for one of them. */
  int workWhileWaiting() {
    takeArrived();
    int work = 0;
    for (Replica stage : stages) {
      work += stage.emptyQueues(waitedFor);
    }
    return work;
  }

  // --- the end ---

  /**
   * Goes on with stages until what feeds each has ended, or nothing has moved for a second; then
   * ends it. What feeds it may be on other workers, which do the same; stages that were on their
   * way here arrive. None comes afterwards.
   */
  void end() {
    long sinceNs = System.nanoTime();
    do {
      takeArrived();
      int work = 0;
      for (Replica stage : stages) {
        boolean isLate = System.nanoTime() - sinceNs > QueueSide.MAX_WAIT_NS;
        if (stage.hasEnded()) {
          continue;
        }
        work += stage.ownRounds();
        if (isLate || stage.isCutOff()) {
          stage.endStage();
          work++;
        }
      }
      sinceNs = work > 0 ? System.nanoTime() : sinceNs;
      Thread.onSpinWait();
    } while (areLeft() || !close());
  }

  private boolean areLeft() {
    for (Replica stage : stages) {
      if (!stage.hasEnded()) {
        return true;
      }
    }
    return false;
  }

  /** Takes none any more, if none has arrived. */
  private boolean close() {
    synchronized (arriving) {
      isClosed = arriving.isEmpty();
      return isClosed;
    }
  }
}
