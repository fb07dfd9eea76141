package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.function.Supplier;

/**
 * Makes any number of tokens of each.
 *
 * @param mapper makes a {@link LongFlatMapper}, {@link DoubleFlatMapper} or {@link FlatMapper}
 */
record FlatMapActor(TokenType in, TokenType out, Supplier<?> mapper, Supervision supervision)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).tokenOutput("out", out);
  }

  /** A mapper on one worker: it may begin anew. */
  private static final class State {
    private final Supplier<?> supplier;
    private Object mapper;

    State(Supplier<?> supplier) {
      this.supplier = supplier;
      mapper = supplier.get();
    }

    void restart() {
      mapper = supplier.get();
    }
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows what it makes.
  public void open(Wiring wiring) {
    State state = new State(mapper);
    Supervisor.watch(wiring, supervision, state::restart);
    if (in.equals(TokenType.LONGS)) {
      wiring.linkLongs(
          "in",
          links -> {
            Object to = Places.out(links, "out", out);
            return token -> ((LongFlatMapper<Object>) state.mapper).flatMap(token, to);
          });
    } else if (in.equals(TokenType.DOUBLES)) {
      wiring.linkDoubles(
          "in",
          links -> {
            Object to = Places.out(links, "out", out);
            return token -> ((DoubleFlatMapper<Object>) state.mapper).flatMap(token, to);
          });
    } else {
      wiring.linkObjects(
          "in",
          in.carrier(),
          links -> {
            Object to = Places.out(links, "out", out);
            return token -> ((FlatMapper<Object, Object>) state.mapper).flatMap(token, to);
          });
    }
  }
}
