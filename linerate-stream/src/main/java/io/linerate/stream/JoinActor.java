package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Makes one token of two: the first that came by one input and the first that came by the other,
 * and so on. What waits for its partner is kept; when there is no room, the new one is dropped.
 *
 * @param capacity tokens that wait at most
 */
record JoinActor<T, U, R>(
    TokenType left,
    TokenType right,
    TokenType out,
    int capacity,
    BiFunction<? super T, ? super U, ? extends R> function,
    Supervision supervision)
    implements Element {
  static final String OTHER = "other";
  private static final DropReason ALONE = DropReason.named("without_partner");

  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", left).tokenInput(OTHER, right).tokenOutput("out", out);
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(KeptTokens.problems(left, right));
    if (capacity < 1) {
      problems.add("bad capacity: capacity=" + capacity + "; write 1 or more");
    }
    return problems;
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows the classes.
  public void open(Wiring wiring) {
    Class<R> result = (Class<R>) out.carrier();
    Deque<T> lefts = new ArrayDeque<>();
    Deque<U> rights = new ArrayDeque<>();
    wiring.linkObjects(
        "in",
        (Class<T>) left.carrier(),
        links -> {
          ObjectOutlet<R> joined = links.objects("out", result);
          return token -> {
            if (!rights.isEmpty()) {
              joined.accept(function.apply(token, rights.poll()));
            } else {
              keep(token, lefts, wiring);
            }
          };
        });
    wiring.linkObjects(
        OTHER,
        (Class<U>) right.carrier(),
        links -> {
          ObjectOutlet<R> joined = links.objects("out", result);
          return token -> {
            if (!lefts.isEmpty()) {
              joined.accept(function.apply(lefts.poll(), token));
            } else {
              keep(token, rights, wiring);
            }
          };
        });
    Runnable forget =
        () -> {
          int count = lefts.size() + rights.size();
          lefts.clear();
          rights.clear();
          for (int i = 0; i < count; i++) {
            wiring.dropToken(ALONE);
          }
        };
    wiring.onFinish(forget);
    wiring.count("waiting", () -> lefts.size() + rights.size());
    Supervisor.watch(wiring, supervision, forget);
  }

  private <V> void keep(V token, Deque<V> waiting, Wiring wiring) {
    if (waiting.size() < capacity) {
      waiting.add(token);
    } else {
      wiring.dropToken(TokenCrossing.FULL);
    }
  }
}
