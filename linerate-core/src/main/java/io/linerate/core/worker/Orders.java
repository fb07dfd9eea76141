package io.linerate.core.worker;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What other threads have a worker do between two bursts. */
final class Orders {
  /** Something to do, and what is to be done instead when the worker has ended. */
  private record Order(Runnable action, Runnable otherwise) {}

  private final ConcurrentLinkedQueue<Order> waiting = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread taker;
  private boolean isClosed;

  /** The worker takes orders from now on, on its thread, which is to be woken for them. */
  synchronized void begin(Thread thread) {
    taker = thread;
  }

  /** Does something on the worker's thread, or here and now while the worker does not run. */
  void submit(Runnable action) {
    synchronized (this) {
      if (taker == null || isClosed) {
        action.run();
        return;
      }
    }
    give(action, action);
  }

  void give(Runnable action, Runnable otherwise) {
    if (!offer(new Order(action, otherwise))) {
      otherwise.run();
    }
    wake();
  }

  private synchronized boolean offer(Order order) {
    return !isClosed && waiting.add(order);
  }

  void wake() {
    Thread thread = taker;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  /** Does what was ordered, and says whether there was anything. Worker only. */
  boolean obey() {
    boolean isAny = false;
    for (Order order = waiting.poll(); order != null; order = waiting.poll()) {
      order.action.run();
      isAny = true;
    }
    return isAny;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes no further orders, and does none that are left. */
  void close() {
    synchronized (this) {
      isClosed = true;
    }
    for (Order order = waiting.poll(); order != null; order = waiting.poll()) {
      order.otherwise.run();
    }
  }
}
