package io.linerate.core.balance;

import io.linerate.core.driver.MovableWork;

/** What goes from one worker to another with the load that it causes. */
interface Piece {
  boolean canGoTo(QueueOwner worker);

  /** Soon; what cannot go any more stays. */
  void moveTo(QueueOwner worker, String reason);

  /** A receive queue. */
  record Queue(AssignedQueue queue, QueueTable table) implements Piece {
    @Override
    public boolean canGoTo(QueueOwner worker) {
      return worker.canTake(queue.port());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The next intervals show what became of it.
    public void moveTo(QueueOwner worker, String reason) {
      table.move(queue, worker);
    }

    @Override
    public String toString() {
      return queue.toString();
    }
  }

  /** Part of a runtime. */
  record Work(MovableWork work) implements Piece {
    @Override
    public boolean canGoTo(QueueOwner worker) {
      return worker.takesMore();
    }

    @Override
    public void moveTo(QueueOwner worker, String reason) {
      work.move(worker.id(), reason);
    }

    @Override
    public String toString() {
      return work.toString();
    }
  }
}
