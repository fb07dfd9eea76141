package io.linerate.stream;

import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Round;
import io.linerate.graph.Wiring;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of two sides on one worker that may still be joined with others. Two are joined when the
 * second of them comes, with all that wait, in the order in which they came.
 */
final class KeyedJoin<T, U, R> implements Round {
  /** Tokens that are forgotten at once, at most: packets do not wait longer. */
  private static final int MOST_AT_ONCE = 256;

  private final JoinWindow<T, U> window;
  private final Wiring wiring;
  private final boolean isTimed;
  private final WaitingTokens<T> lefts;
  private final WaitingTokens<U> rights;
  private final Keys<Object> keys;
  private @Nullable ObjectOutlet<R> out;

  /** Of which side the token is whose key is asked for. */
  private boolean isRight;

  /** What is earlier is late. */
  private long watermarkNs = Long.MIN_VALUE;

  KeyedJoin(KeyedJoinActor<T, U, R> actor, Wiring wiring) {
    this.wiring = wiring;
    window = actor.window();
    isTimed = window.timeNs() != null;
    lefts = new WaitingTokens<>(window.mostTokens());
    rights = new WaitingTokens<>(window.mostTokens());
    keys = keys(actor.key(), actor.otherKey()).keys(2 * window.mostTokens() + 1);
  }

  @SuppressWarnings("unchecked") // Tokens of that side.
  private KeyMaker<Object> keys(KeyMaker<T> left, KeyMaker<U> right) {
    if (left instanceof KeyMaker.ByLong<T> one && right instanceof KeyMaker.ByLong<U> other) {
      return new KeyMaker.ByLong<>(
          token -> isRight ? other.key().applyAsLong((U) token) : one.key().applyAsLong((T) token));
    }
    return new KeyMaker.ByObject<>(
        token -> isRight ? right.of((U) token) : left.of((T) token),
        key -> isRight ? right.kept(key) : left.kept(key));
  }

  /** Where results go from now on. */
  void link(ObjectOutlet<R> outlet) {
    out = outlet;
  }

  /** What takes tokens of one side. */
  Consumer<T> left(BiFunction<? super T, ? super U, ? extends R> function) {
    return new Side<>(false, lefts, rights, window.timeNs(), function);
  }

  /** What takes tokens of the other side. */
  Consumer<U> right(BiFunction<? super T, ? super U, ? extends R> function) {
    return new Side<>(
        true, rights, lefts, window.otherTimeNs(), (token, other) -> function.apply(other, token));
  }

  private final class Side<V, W> implements Consumer<V> {
    private final boolean isOfRight;
    private final WaitingTokens<V> own;
    private final WaitingTokens<W> others;
    private final @Nullable ToLongFunction<? super V> timeNs;
    private final BiFunction<? super V, ? super W, ? extends R> function;

    Side(
        boolean isOfRight,
        WaitingTokens<V> own,
        WaitingTokens<W> others,
        @Nullable ToLongFunction<? super V> timeNs,
        BiFunction<? super V, ? super W, ? extends R> function) {
      this.isOfRight = isOfRight;
      this.own = own;
      this.others = others;
      this.timeNs = timeNs;
      this.function = function;
    }

    @Override
    public void accept(V token) {
      long atNs = timeNs == null ? wiring.epochNs() : timeNs.applyAsLong(token);
      passed(timeNs == null ? atNs : atNs - window.delayNs());
      if (isTimed && atNs < watermarkNs) {
        wiring.dropToken(KeyedJoinActor.LATE);
        return;
      }
      isRight = isOfRight;
      int number = keys.number(Objects.requireNonNull(token));
      boolean isJoined = joinAll(token, number, atNs);
      if (!own.add(token, number, atNs, isJoined)) {
        wiring.dropToken(KeyedJoinActor.FULL);
        forgetIfUnused(number);
      }
    }

    private boolean joinAll(V token, int number, long atNs) {
      boolean isJoined = false;
      for (long at = others.oldest(number); at != WaitingTokens.NONE; at = others.next(at)) {
        if (Math.abs(atNs - others.timeNs(at)) <= window.withinNs()) {
          others.join(at);
          isJoined = true;
          Objects.requireNonNull(out, "out").accept(function.apply(token, others.token(at)));
        }
      }
      return isJoined;
    }
  }

  private void forgetIfUnused(int number) {
    if (lefts.oldest(number) == WaitingTokens.NONE && rights.oldest(number) == WaitingTokens.NONE) {
      keys.remove(number);
    }
  }

  /** No token is earlier from now on, but what is late. */
  private int passed(long untilNs) {
    watermarkNs = Math.max(watermarkNs, untilNs);
    return forgetOf(lefts) + forgetOf(rights);
  }

  private int forgetOf(WaitingTokens<?> waiting) {
    int count = 0;
    while (count < MOST_AT_ONCE && hasWaitedEnough(waiting)) {
      removeFirst(waiting);
      count++;
    }
    return count;
  }

  /** Whether there is one with which nothing that comes is joined. */
  private boolean hasWaitedEnough(WaitingTokens<?> waiting) {
    return waiting.size() > 0 && watermarkNs - waiting.firstNs() > window.withinNs();
  }

  private void removeFirst(WaitingTokens<?> waiting) {
    int number = waiting.firstKey();
    if (!waiting.removeFirst()) {
      wiring.dropToken(KeyedJoinActor.ALONE);
    }
    forgetIfUnused(number);
  }

  @Override
  public int run() {
    return passed(isTimed || size() == 0 ? watermarkNs : wiring.epochNs());
  }

  int size() {
    return lefts.size() + rights.size();
  }

  /** Forgets all that wait. */
  void forget() {
    while (lefts.size() > 0) {
      removeFirst(lefts);
    }
    while (rights.size() > 0) {
      removeFirst(rights);
    }
  }

  @Override
  public long restNs(Runnable wake) {
    return Math.min(restNs(lefts), restNs(rights));
  }

  private long restNs(WaitingTokens<?> waiting) {
    if (hasWaitedEnough(waiting)) {
      return 0;
    }
    return isTimed || waiting.size() == 0
        ? Long.MAX_VALUE
        : Math.max(0, waiting.firstNs() + window.withinNs() + 1 - wiring.epochNs());
  }
}
