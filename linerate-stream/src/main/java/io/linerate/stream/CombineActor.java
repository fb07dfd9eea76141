package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Overflow;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Joins what several workers know of the same windows.
 *
 * @param <A> what the aggregate knows
 * @param isWhole hands on a list of all results of a window, not each of them
 * @param capacity parts on their way from each worker
 */
record CombineActor<A>(
    Window<?> window,
    Aggregate<?, A, ?> aggregate,
    boolean isWhole,
    int capacity,
    Supervision supervision)
    implements Element {
  private static final int MAX_TOKENS = 256;

  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("in", WindowOutput.type(true))
        .tokenOutput("out", TokenType.of(out()))
        .crossing();
  }

  private Class<?> out() {
    return isWhole ? List.class : WindowResult.class;
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(QueueActor.problems(capacity));
    if (isWhole && window.isSession()) {
      problems.add(
          "whole window of sessions: gapNs=%d; each key has its own: use windowOfAll(…), or one of time"
              .formatted(window.gapNs()));
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    TokenType type = WindowOutput.type(true);
    TokenCrossing parts = wiring.tokenCrossing(type, capacity, Overflow.HOLD_BACK);
    wiring.objects(
        "in", WindowOutput.<WindowPart<A>>raw(WindowPart.class), (Consumer<Object>) parts::put);
    WindowsOfAll<A> windows =
        window.isSession()
            ? new SessionsOfAll<>(this, wiring)
            : new TimedWindowsOfAll<>(this, wiring);
    Parts<A> taking = new Parts<>(windows, parts);
    wiring.linkRound(links -> {
      windows.link(links.objects("out", WindowOutput.raw(out())));
      return taking;
    });
    wiring.onLeave(() -> parts.finish(taking));
    wiring.onFinish(windows::endAll);
    wiring.count("waiting", parts::size);
    wiring.count("windows", windows::size);
    Supervisor.watch(wiring, supervision);
  }

  /** What comes from the workers. */
  private static final class Parts<A> implements Consumer<WindowPart<A>>, Round {
    private final WindowsOfAll<A> windows;
    private final TokenCrossing parts;

    /** By worker, how far it is. */
    private final Map<Integer, Long> progress = new HashMap<>();

    Parts(WindowsOfAll<A> windows, TokenCrossing parts) {
      this.windows = windows;
      this.parts = parts;
    }

    @Override
    public void accept(WindowPart<A> part) {
      switch (part) {
        case WindowPart.Known<A> known -> windows.take(known);
        case WindowPart.Progress<A> next -> {
          progress.put(next.worker(), next.untilNs());
          long least = Long.MAX_VALUE;
          for (int worker : parts.feeders()) {
            least = Math.min(least, progress.getOrDefault(worker, Long.MIN_VALUE));
          }
          if (least != WindowPart.IDLE) {
            windows.passed(least);
          }
        }
      }
    }

    @Override
    public int run() {
      return parts.sendTo(this, MAX_TOKENS);
    }

    @Override
    public long restNs(Runnable wake) {
      return parts.restNs(wake);
    }
  }
}
