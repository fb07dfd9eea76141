package io.linerate.stream;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tokens of a source, for a thread that waits for each. */
final class WaitingIterator<T> implements Iterator<T> {
  private final Source<Consumer<T>> source;
  private @Nullable T next;
  private boolean hasEnded;

  WaitingIterator(Source<Consumer<T>> source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    while (next == null && !hasEnded) {
      int count = poll();
      hasEnded = count == Source.END;
      if (count == 0) {
        await();
      }
    }
    return next != null;
  }

  private int poll() {
    try {
      return source.poll(token -> next = token, 1);
    } catch (Exception e) {
      throw new IllegalStateException("stream has failed: error=" + e, e);
    }
  }

  private void await() {
    Thread thread = Thread.currentThread();
    if (source.restNs(() -> LockSupport.unpark(thread)) > 0) {
      LockSupport.park(this);
    }
    if (thread.isInterrupted()) {
      source.close();
      throw new IllegalStateException(
          "interrupted while tokens were waited for: thread=%s; the subscription is cancelled"
              .formatted(thread.getName()));
    }
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("stream has ended");
    }
    T token = Objects.requireNonNull(next);
    next = null;
    return token;
  }
}
