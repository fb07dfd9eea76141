package io.linerate.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a publisher sends: signals come on its threads, {@link Source} is for the one that takes. It
 * alone calls the subscription, so that these calls are serial (rule 2.7), and asks for no more
 * than there is room for. Numbers of rules are those of Reactive Streams for the JVM, 1.0.4.
 */
final class PublisherSource<T> implements Source<Consumer<T>>, Flow.Subscriber<T> {
  private static final int MAX_CAPACITY = 1 << 24;

  private final Flow.Publisher<? extends T> publisher;
  private final int capacity;

  /**
   * Locked by both sides: a publisher that signals on two threads at once loses nothing, either.
   */
  private final BlockingQueue<T> stored;

  /** Of the thread that takes. */
  private final List<T> taken = new ArrayList<>();

  private boolean hasSubscribed;

  /** Room that nothing was asked for yet. */
  private int owed;

  /** Null: the publisher has not given it yet. */
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

  private final AtomicReference<@Nullable Runnable> waiter = new AtomicReference<>();

  /** Nothing is stored any more: written after what was stored last. */
  private volatile boolean hasEnded;

  /** Why; null: completed. Written before {@link #hasEnded}. */
  private @Nullable Throwable failure;

  /** Nobody takes any more. */
  private volatile boolean isClosed;

  PublisherSource(Flow.Publisher<? extends T> publisher, int capacity) {
    requireCapacity(capacity);
    this.publisher = publisher;
    this.capacity = capacity;
    owed = capacity;
    stored = new ArrayBlockingQueue<>(capacity);
  }

  static void requireCapacity(int capacity) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "bad capacity: capacity=%d; 1 to %d is possible".formatted(capacity, MAX_CAPACITY));
    }
  }

  // --- signals of the publisher ---

  @Override
  public void onSubscribe(Flow.Subscription next) {
    Objects.requireNonNull(next, "subscription"); // Rule 2.13.
    if (!subscription.compareAndSet(null, next)) {
      next.cancel(); // Rule 2.5.
    } else if (isClosed) {
      next.cancel();
    } else {
      wake();
    }
  }

  @Override
  public void onNext(T token) {
    Objects.requireNonNull(token, "token"); // Rule 2.13.
    if (isClosed || hasEnded) {
      return; // Rule 2.8: it may not know yet.
    }
    if (!stored.offer(token)) {
      end(
          new IllegalStateException(
              "publisher sends more than was asked for: capacity=%d, publisher=%s; see rule 1.1 of Reactive Streams"
                  .formatted(capacity, publisher.getClass().getName())));
      return;
    }
    wake();
  }

  @Override
  public void onError(Throwable why) {
    end(Objects.requireNonNull(why, "error")); // Rule 2.13.
  }

  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable why) {
    if (!hasEnded) {
      failure = why;
      hasEnded = true;
      wake();
    }
  }

  private void wake() {
    Runnable asleep = waiter.get() == null ? null : waiter.getAndSet(null);
    if (asleep != null) {
      asleep.run();
    }
  }

  // --- the thread that takes ---

  /** Subscribes, if it has not. */
  void subscribe() {
    if (!hasSubscribed) {
      hasSubscribed = true;
      publisher.subscribe(this);
    }
  }

  @Override
  public int poll(Consumer<T> to, int max) throws Exception {
    subscribe();
    askForMore();
    boolean isLast = hasEnded; // Before it is looked what was stored until then.
    int count = stored.drainTo(taken, max);
    if (count == 0) {
      return isLast ? end() : 0;
    }
    try {
      taken.forEach(to);
    } finally {
      taken.clear();
    }
    owed += count;
    askForMore();
    return count;
  }

  private int end() throws Exception {
    Throwable why = failure;
    if (why == null) {
      return END;
    }
    throw switch (why) {
      case Exception e -> e;
      case Error e -> throw e;
      default -> new ExecutionException(why);
    };
  }

  /** In halves of what there is room for, so that not each token costs a signal. */
  private void askForMore() {
    Flow.Subscription known = subscription.get();
    if (known != null && mayAsk()) {
      int more = owed;
      owed = 0; // Before: what is asked for may come at once.
      known.request(more);
    }
  }

  private boolean mayAsk() {
    return owed >= (capacity + 1) / 2 && !hasEnded;
  }

  @Override
  public long restNs(Runnable wake) {
    waiter.set(wake);
    boolean isAsking = subscription.get() != null && mayAsk();
    return hasEnded || isAsking || !stored.isEmpty() ? 0 : Long.MAX_VALUE;
  }

  /** Cancels; what takes is at the end. */
  @Override
  public void close() {
    isClosed = true;
    Flow.Subscription known = subscription.get();
    if (known != null) {
      known.cancel(); // Rule 3.7: does nothing after the end.
    }
    end(null);
  }
}
