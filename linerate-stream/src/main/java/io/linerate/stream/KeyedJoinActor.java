package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Makes a token of each two, one of each input, that have the same key and are not far apart. */
record KeyedJoinActor<T, U, R>(
    TokenType left,
    TokenType right,
    TokenType out,
    KeyMaker<T> key,
    KeyMaker<U> otherKey,
    JoinWindow<T, U> window,
    BiFunction<? super T, ? super U, ? extends R> function,
    Supervision supervision)
    implements Element {
  static final DropReason FULL = TokenCrossing.FULL;
  static final DropReason ALONE = DropReason.named("without_partner");
  static final DropReason LATE = DropReason.named("late");

  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("in", left)
        .tokenInput(JoinActor.OTHER, right)
        .tokenOutput("out", out);
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(KeptTokens.problems(left, right));
    problems.addAll(window.problems());
    return problems;
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows the classes.
  public void open(Wiring wiring) {
    KeyedJoin<T, U, R> join = new KeyedJoin<>(this, wiring);
    Class<R> result = (Class<R>) out.carrier();
    wiring.linkObjects(
        "in",
        (Class<T>) left.carrier(),
        links -> {
          join.link(links.objects("out", result));
          return join.left(function);
        });
    wiring.linkObjects(
        JoinActor.OTHER,
        (Class<U>) right.carrier(),
        links -> {
          join.link(links.objects("out", result));
          return join.right(function);
        });
    wiring.onRound(join);
    wiring.onFinish(join::forget);
    wiring.count("waiting", join::size);
    Supervisor.watch(wiring, supervision, join::forget);
  }
}
