package io.linerate.testkit.graph;

import io.linerate.graph.Element;
import io.linerate.graph.Links;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Hands on what a test gives.
 *
 * @param given numbers as {@code Long} and {@code Double}
 */
record TokenFeed(TokenType type, Deque<Object> given) implements Element {
  /** What the test gives next. */
  void give(String input, List<Object> tokens) {
    for (Object token : tokens) {
      if (!boxed().isInstance(token)) {
        throw new IllegalArgumentException(
            "input takes no such tokens: input=%s, takes=%s, given=%s, token=%s; write %s"
                .formatted(input, type, token.getClass().getName(), token, cure()));
      }
    }
    given.addAll(tokens);
  }

  private Class<?> boxed() {
    if (type.equals(TokenType.LONGS)) {
      return Long.class;
    }
    return type.equals(TokenType.DOUBLES) ? Double.class : type.carrier();
  }

  private String cure() {
    if (type.equals(TokenType.LONGS)) {
      return "numbers as 1L";
    }
    return type.equals(TokenType.DOUBLES) ? "numbers as 1.0" : "objects of that class";
  }

  @Override
  public Shape shape() {
    return Shape.NONE.tokenOutput("out", type);
  }

  @Override
  public void open(Wiring wiring) {
    wiring.linkRound(links -> {
      Consumer<Object> out = out(links);
      Round round =
          () -> {
            int count = 0;
            for (Object token = given.poll(); token != null; token = given.poll()) {
              out.accept(token);
              count++;
            }
            return count;
          };
      return round;
    });
  }

  @SuppressWarnings("unchecked") // The test has given objects of that class.
  private Consumer<Object> out(Links links) {
    if (type.equals(TokenType.LONGS)) {
      return token -> links.longs("out").accept((Long) token);
    }
    return type.equals(TokenType.DOUBLES)
        ? token -> links.doubles("out").accept((Double) token)
        : (Consumer<Object>) (Consumer<?>) links.objects("out", type.carrier());
  }
}
