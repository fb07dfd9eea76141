package io.linerate.stream;

import io.linerate.graph.DoubleOutlet;
import io.linerate.graph.Element;
import io.linerate.graph.LongOutlet;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Hands tokens of which a predicate is true to one output, and the others to another.
 *
 * @param predicate a {@link LongPredicate}, {@link DoublePredicate} or {@link Predicate}
 */
record SplitActor(TokenType in, Object predicate, Supervision supervision) implements Element {
  static final String MATCHING = "matching";
  static final String REST = "rest";

  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).tokenOutput(MATCHING, in).tokenOutput(REST, in);
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows what it makes.
  public void open(Wiring wiring) {
    if (in.equals(TokenType.LONGS)) {
      LongPredicate test = (LongPredicate) predicate;
      wiring.linkLongs(
          "in",
          links -> {
            LongOutlet matching = links.longs(MATCHING);
            LongOutlet rest = links.longs(REST);
            return token -> (test.test(token) ? matching : rest).accept(token);
          });
    } else if (in.equals(TokenType.DOUBLES)) {
      DoublePredicate test = (DoublePredicate) predicate;
      wiring.linkDoubles(
          "in",
          links -> {
            DoubleOutlet matching = links.doubles(MATCHING);
            DoubleOutlet rest = links.doubles(REST);
            return token -> (test.test(token) ? matching : rest).accept(token);
          });
    } else {
      split((Class<Object>) in.carrier(), (Predicate<Object>) predicate, wiring);
    }
    Supervisor.watch(wiring, supervision);
  }

  private static <T> void split(Class<T> type, Predicate<T> test, Wiring wiring) {
    wiring.linkObjects(
        "in",
        type,
        links -> {
          ObjectOutlet<T> matching = links.objects(MATCHING, type);
          ObjectOutlet<T> rest = links.objects(REST, type);
          return token -> (test.test(token) ? matching : rest).accept(token);
        });
  }
}
