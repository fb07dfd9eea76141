package io.linerate.stream;

import io.linerate.graph.Overflow;
import io.linerate.graph.TokenCrossing;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Gives tokens of a graph to subscribers, that come and go on any thread: see {@link
 * Tokens#publish}, and {@link LongTokens#publish} for numbers. All get the same, from when they
 * have subscribed, those of each worker in their order, and none gets more than it has asked for.
 *
 * <pre>{@code
 * TokenPublisher<String> names = new TokenPublisher<>(1_024, Overflow.HOLD_BACK);
 * Graph graph = Streams.graph(s ->
 *     s.packets("in", "eth0").map("name", String.class, this::name).publish("names", names));
 * names.subscribe(subscriber);
 * }</pre>
 *
 * Tokens wait in a queue on each worker until all subscribers have room, so that the slowest
 * decides: when the queue is full what is before it waits, or tokens are dropped, as {@code
 * queue_full}, for all. Who must not wait for others has a publisher of its own. Without
 * subscribers tokens are dropped, as {@code unconnected}.
 *
 * <p>Subscribers complete when the element has left the graph, or its workers have ended, and get
 * an error if the program has failed. A program whose inputs have ended waits until its queues are
 * empty; one that is stopped waits a second, and drops what is left, as {@code stopped}. A
 * subscriber that throws is cancelled. The publisher has ended with its graph: another graph needs
 * another.
 */
public final class TokenPublisher<T> implements Flow.Publisher<T> {
  private static final Executor VIRTUAL = Thread::startVirtualThread;

  private final SubmissionPublisher<T> publisher;
  private final int capacity;
  private final Overflow overflow;

  /** Ends the sleep of workers that wait for subscribers. */
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  /** Elements on workers that have not ended. Guarded by this. */
  private int feeds;

  /** As the other, with a virtual thread for what each subscriber is told. */
  public TokenPublisher(int capacity, Overflow overflow) {
    this(capacity, overflow, VIRTUAL);
  }

  /**
   * Makes one for a graph to come.
   *
   * @param capacity tokens that wait for each subscriber at most, 1 to 16,777,216, rounded up to a
   *     power of two; and as many on each worker, or 1,024 if that is more and they are held back
   * @param overflow what is done when the subscribers are slower
   * @param executor calls subscribers
   */
  public TokenPublisher(int capacity, Overflow overflow, Executor executor) {
    PublisherSource.requireCapacity(capacity);
    this.capacity = capacity;
    this.overflow = overflow;
    publisher = new SubmissionPublisher<>(task -> executor.execute(() -> call(task)), capacity);
  }

  /** Lets a subscriber take what there is for it: there may be room then. */
  private void call(Runnable task) {
    try {
      task.run();
    } finally {
      for (Iterator<Runnable> sleeping = waiting.iterator(); sleeping.hasNext(); ) {
        Runnable wake = sleeping.next();
        sleeping.remove();
        wake.run();
      }
    }
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    publisher.subscribe(subscriber);
  }

  /**
   * What comes from now on, for a thread that is not a worker's. It waits for each token, and ends
   * when subscribers complete; it throws {@link IllegalStateException} if the program has failed or
   * the thread is interrupted. Closing it cancels: use it in {@code try}.
   */
  public Stream<T> stream() {
    PublisherSource<T> source = new PublisherSource<>(this, capacity);
    source.subscribe();
    Spliterator<T> tokens =
        Spliterators.spliteratorUnknownSize(
            new WaitingIterator<>(source), Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(tokens, false).onClose(source::close);
  }

  // --- for elements, on their workers ---

  int capacity() {
    return capacity;
  }

  Overflow overflow() {
    return overflow;
  }

  int subscribers() {
    return publisher.getNumberOfSubscribers();
  }

  /**
   * Another element will bring tokens.
   *
   * @throws IllegalStateException if all have left already
   */
  synchronized void join() {
    if (publisher.isClosed()) {
      throw new IllegalStateException(
          "publisher has ended: capacity=" + capacity + "; make another for another graph");
    }
    feeds++;
  }

  /** An element brings no more: the last one completes the subscribers. */
  synchronized void leave(@Nullable Throwable failure) {
    feeds--;
    if (feeds == 0 && failure != null) {
      publisher.closeExceptionally(failure);
    } else if (feeds == 0) {
      publisher.close();
    }
  }

  /**
   * Moves tokens on, as far as all subscribers have room: while this is locked nobody else fills
   * it.
   *
   * @param to takes tokens of the queue's type
   * @param nowhere takes them while there is no subscriber
   */
  synchronized int pass(TokenCrossing from, Object to, Object nowhere, int max) {
    return publisher.hasSubscribers()
        ? from.sendTo(to, Math.min(max, room()))
        : from.sendTo(nowhere, max);
  }

  private int room() {
    return publisher.getMaxBufferCapacity() - publisher.estimateMaximumLag();
  }

  /** Gives a token to all subscribers that have room; whether all have. */
  synchronized boolean offer(T token) {
    return publisher.offer(token, (_, _) -> false) >= 0;
  }

  /** Gives a token to all subscribers if all have room; whether they have. */
  synchronized boolean offerToAll(T token) {
    return room() > 0 && offer(token);
  }

  /** As {@link Source#restNs}, of a worker that has tokens. */
  long restNs(Runnable wake, long mostNs) {
    waiting.add(wake);
    return room() > 0 ? 0 : mostNs;
  }
}
