package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Overflow;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/** Stores tokens, and gives them to a publisher's subscribers in the rounds of its worker. */
record PublishActor<T>(TokenType in, TokenPublisher<T> publisher) implements Element {
  /** Tokens in a round, as {@link SourceActor} has it. */
  private static final int MAX_TOKENS = 256;

  private static final DropReason STOPPED = DropReason.named("stopped");

  /** How long subscribers are waited for at the end of a worker, as other workers are. */
  private static final long MAX_WAIT_NS = 1_000_000_000;

  private static final long PAUSE_NS = 20_000;

  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).crossing();
  }

  @Override
  public void open(Wiring wiring) {
    TokenCrossing tokens = wiring.tokenCrossing(in, capacity(), publisher.overflow());
    QueueActor.fill(wiring, in, tokens);
    Feed<T> feed = new Feed<>(this, tokens, wiring);
    wiring.onRound(feed);
    wiring.onEnd(feed::finish);
    wiring.count("published", () -> feed.published);
    wiring.count("waiting", tokens::size);
    wiring.readShared("subscribers", ValueType.NUMBER, () -> (long) publisher.subscribers());
    publisher.join();
    wiring.onClose(feed::leave); // It may never have run.
  }

  /**
   * A quarter of a queue is free when it begins to hold back: with room for a round there, a worker
   * does not wait for subscribers, and goes on with what it has to do besides.
   */
  private int capacity() {
    return publisher.overflow() == Overflow.HOLD_BACK
        ? Math.max(publisher.capacity(), 4 * MAX_TOKENS)
        : publisher.capacity();
  }

  /** What one worker brings. */
  private static final class Feed<T> implements Round {
    private final TokenPublisher<T> publisher;
    private final TokenCrossing tokens;
    private final Wiring wiring;
    private final TokenType type;

    /** What takes tokens of the type. */
    private final Object to;

    private final Object nowhere;
    private long published;
    private long endNs;
    private boolean hasLeft;

    Feed(PublishActor<T> actor, TokenCrossing tokens, Wiring wiring) {
      publisher = actor.publisher;
      type = actor.in;
      this.tokens = tokens;
      this.wiring = wiring;
      to = taker(token -> offer(token, TokenCrossing.FULL));
      nowhere = taker(_ -> wiring.dropToken(Wiring.UNCONNECTED));
    }

    /** Subscribers take objects: there is one for each number that is given to them. */
    @SuppressWarnings("unchecked") // The builder knows that the numbers are the publisher's tokens.
    private Object taker(Consumer<T> taker) {
      Consumer<Object> any = (Consumer<Object>) taker;
      if (type.equals(TokenType.LONGS)) {
        return (LongConsumer) any::accept;
      }
      return type.equals(TokenType.DOUBLES) ? (DoubleConsumer) any::accept : any;
    }

    @Override
    public int run() {
      return publisher.pass(tokens, to, nowhere, MAX_TOKENS);
    }

    /** A token counts as published if no subscriber has missed it. */
    private void offer(T token, DropReason whenFull) {
      if (isTaken(token, false)) {
        published++;
      } else {
        wiring.dropToken(whenFull);
      }
    }

    private boolean isTaken(T token, boolean byAllOnly) {
      try {
        return byAllOnly ? publisher.offerToAll(token) : publisher.offer(token);
      } catch (RuntimeException e) { // The executor takes no more.
        wiring.dropToken(DropReason.HANDLER_ERROR);
        throw e;
      }
    }

    @Override
    public long restNs(Runnable wake) {
      long ns = tokens.restNs(wake);
      return ns > 0 ? ns : publisher.restNs(wake, Round.super.restNs(wake));
    }

    /** The worker's last tokens: there is a bounded time to take them. */
    void finish() {
      endNs = System.nanoTime() + MAX_WAIT_NS;
      try {
        tokens.finish(taker(this::offerLast));
      } finally {
        leave();
      }
    }

    private void offerLast(T token) {
      while (publisher.subscribers() > 0) {
        if (isTaken(token, true)) {
          published++;
          return;
        }
        if (System.nanoTime() - endNs >= 0) {
          offer(token, STOPPED);
          return;
        }
        LockSupport.parkNanos(PAUSE_NS); // Not in the publisher: other workers go on with it.
      }
      wiring.dropToken(Wiring.UNCONNECTED);
    }

    void leave() {
      if (!hasLeft) {
        hasLeft = true;
        publisher.leave(wiring.failure().orElse(null));
      }
    }
  }
}
