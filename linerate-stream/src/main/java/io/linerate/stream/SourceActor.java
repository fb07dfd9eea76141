package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.function.Supplier;

/**
 * Brings the tokens of a {@link Source} into a graph.
 *
 * @param source makes it, of what takes tokens of that type
 */
record SourceActor(TokenType out, Supplier<? extends Source<?>> source) implements Element {
  /** Tokens in a round: as many as are worth one, and few enough that packets do not wait. */
  private static final int MAX_TOKENS = 256;

  /** Tokens before it is asked again whether something holds back. */
  private static final int STEP = 16;

  @Override
  public Shape shape() {
    return Shape.NONE.tokenOutput("out", out);
  }

  @Override
  @SuppressWarnings("unchecked") // An output of that type takes such tokens.
  public void open(Wiring wiring) {
    State state = new State((Source<Object>) source.get());
    wiring.linkRound(links -> new Polling(state, Places.out(links, "out", out), wiring));
    wiring.onEnd(state::end);
    wiring.onClose(state::end); // It may never have run.
  }

  /** What stays when the edges behind it change. */
  private static final class State {
    private final Source<Object> source;
    private boolean hasEnded;

    State(Source<Object> source) {
      this.source = source;
    }

    void end() {
      if (!hasEnded) {
        hasEnded = true;
        source.close();
      }
    }
  }

  private record Polling(State state, Object out, Wiring wiring) implements Round {
    @Override
    public int run() {
      int count = 0;
      while (count < MAX_TOKENS && !state.hasEnded && !wiring.isHeldBack()) {
        int some = poll();
        if (some <= 0) {
          break;
        }
        count += some;
      }
      return count;
    }

    private int poll() {
      try {
        int count = state.source.poll(out, wiring.isToAskForEach() ? 1 : STEP);
        if (count != Source.END) {
          return count;
        }
      } catch (Throwable e) { // Whatever it throws, there is no sense in asking again.
        wiring.stop(e);
      }
      state.end();
      return 1; // What is behind may have to be told.
    }

    @Override
    public boolean isActive() {
      return !state.hasEnded;
    }

    @Override
    public long restNs(Runnable wake) {
      if (state.hasEnded) {
        return Long.MAX_VALUE;
      }
      return wiring.isHeldBack() ? Round.super.restNs(wake) : state.source.restNs(wake);
    }
  }
}
