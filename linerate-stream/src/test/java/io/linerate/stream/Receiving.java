package io.linerate.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** A subscriber of a test: asks for so many at first, and for another one with each that comes. */
class Receiving<T> implements Flow.Subscriber<T> {
  private static final long MAX_WAIT_S = 60;

  private final int ahead;
  private final List<T> received = new ArrayList<>();
  private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  Receiving(int ahead) {
    this.ahead = ahead;
  }

  @Override
  public void onSubscribe(Flow.Subscription next) {
    if (ahead > 0) {
      next.request(ahead);
    }
    subscription.complete(next);
  }

  @Override
  public synchronized void onNext(T token) {
    received.add(token);
    if (ahead > 0) {
      subscription().request(1);
    }
  }

  @Override
  public void onError(Throwable why) {
    ended.completeExceptionally(why);
  }

  @Override
  public void onComplete() {
    ended.complete(null);
  }

  /** Waits for it. */
  final Flow.Subscription subscription() {
    return subscription.orTimeout(MAX_WAIT_S, TimeUnit.SECONDS).join();
  }

  final synchronized List<T> received() {
    return List.copyOf(received);
  }

  /** Waits for the end. */
  final List<T> all() {
    ended.orTimeout(MAX_WAIT_S, TimeUnit.SECONDS).join();
    return received();
  }

  /** Waits for what it is told when the publisher fails. */
  final Throwable failure() {
    return ended.<Throwable>handle((_, why) -> why).orTimeout(MAX_WAIT_S, TimeUnit.SECONDS).join();
  }

  final boolean hasEnded() {
    return ended.isDone();
  }
}
