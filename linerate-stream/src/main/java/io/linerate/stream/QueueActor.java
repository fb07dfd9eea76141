package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Overflow;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/**
 * Stores tokens, and sends them on in the rounds of the worker that is behind it.
 *
 * @param capacity tokens, for each worker that feeds it
 */
record QueueActor(TokenType type, int capacity, Overflow overflow) implements Element {
  /** Tokens in a round, as {@link SourceActor} has it. */
  private static final int MAX_TOKENS = 256;

  private static final int MAX_CAPACITY = 1 << 24;

  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", type).tokenOutput("out", type).crossing();
  }

  @Override
  public List<String> problems() {
    return problems(capacity);
  }

  static List<String> problems(int capacity) {
    return capacity < 1 || capacity > MAX_CAPACITY
        ? List.of("bad capacity: capacity=%d; write 1 to %d".formatted(capacity, MAX_CAPACITY))
        : List.of();
  }

  @Override
  public void open(Wiring wiring) {
    TokenCrossing tokens = wiring.tokenCrossing(type, capacity, overflow);
    fill(wiring, type, tokens);
    Emptying emptying = new Emptying(tokens, type);
    wiring.linkRound(links -> {
      emptying.out = Places.out(links, "out", type);
      return emptying;
    });
    wiring.onLeave(emptying::finish);
    wiring.count("waiting", tokens::size);
    wiring.read("capacity", ValueType.NUMBER, () -> (long) capacity);
  }

  /** Stores what comes in. */
  static void fill(Wiring wiring, TokenType type, TokenCrossing tokens) {
    if (type.equals(TokenType.LONGS)) {
      wiring.longs("in", (LongConsumer) tokens::put);
    } else if (type.equals(TokenType.DOUBLES)) {
      wiring.doubles("in", (DoubleConsumer) tokens::put);
    } else {
      wiring.objects("in", type.carrier(), (Consumer<Object>) tokens::put);
    }
  }

  private static final class Emptying implements Round {
    private final TokenCrossing tokens;

    /** Known before anything is sent. */
    private Object out;

    Emptying(TokenCrossing tokens, TokenType type) {
      this.tokens = tokens;
      out = type;
    }

    @Override
    public int run() {
      return tokens.sendTo(out, MAX_TOKENS);
    }

    void finish() {
      tokens.finish(out);
    }

    @Override
    public long restNs(Runnable wake) {
      return tokens.restNs(wake);
    }
  }
}
