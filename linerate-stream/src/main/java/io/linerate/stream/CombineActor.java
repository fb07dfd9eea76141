package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Overflow;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenCrossing;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Joins what several workers know of the same windows.
 *
 * @param <A> what the aggregate knows
 * @param capacity parts on their way from each worker
 */
record CombineActor<A>(
    long sizeNs, Aggregate<?, A, ?> aggregate, int capacity, Supervision supervision)
    implements Element {
  private static final int MAX_TOKENS = 256;
  private static final DropReason LATE = DropReason.named("late");

  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("in", WindowOutput.type(true))
        .tokenOutput("out", WindowOutput.type(false))
        .crossing();
  }

  @Override
  public List<String> problems() {
    return QueueActor.problems(capacity);
  }

  @Override
  public void open(Wiring wiring) {
    TokenType type = WindowOutput.type(true);
    TokenCrossing parts = wiring.tokenCrossing(type, capacity, Overflow.HOLD_BACK);
    wiring.objects(
        "in", WindowOutput.<WindowPart<A>>raw(WindowPart.class), (Consumer<Object>) parts::put);
    Windows<A> windows = new Windows<>(this, wiring, parts);
    wiring.linkRound(links -> {
      windows.out = links.objects("out", WindowOutput.<WindowResult<?, ?>>raw(WindowResult.class));
      return windows;
    });
    wiring.onLeave(() -> parts.finish(windows));
    wiring.onFinish(windows::endAll);
    wiring.count("waiting", parts::size);
    wiring.count("windows", windows.open::size);
    Supervisor.watch(wiring, supervision);
  }

  /** Windows that have not ended on all workers. */
  private static final class Windows<A> implements Consumer<WindowPart<A>>, Round {
    private final CombineActor<A> actor;
    private final Wiring wiring;
    private final TokenCrossing parts;

    /** By their start. */
    private final TreeMap<Long, Map<Object, A>> open = new TreeMap<>();

    /** By worker, how far it is. */
    private final Map<Integer, Long> progress = new HashMap<>();

    private @Nullable ObjectOutlet<WindowResult<?, ?>> out;
    private long endedNs = Long.MIN_VALUE;

    Windows(CombineActor<A> actor, Wiring wiring, TokenCrossing parts) {
      this.actor = actor;
      this.wiring = wiring;
      this.parts = parts;
    }

    @Override
    public void accept(WindowPart<A> part) {
      switch (part) {
        case WindowPart.Known<A> known -> add(known);
        case WindowPart.Progress<A> next -> {
          progress.put(next.worker(), next.untilNs());
          long least = Long.MAX_VALUE;
          for (int worker : parts.feeders()) {
            least = Math.min(least, progress.getOrDefault(worker, Long.MIN_VALUE));
          }
          if (least != WindowPart.IDLE) {
            endUntil(least);
          }
        }
      }
    }

    private void add(WindowPart.Known<A> part) {
      if (part.startNs() + actor.sizeNs <= endedNs) {
        wiring.dropToken(LATE);
        return;
      }
      open.computeIfAbsent(part.startNs(), _ -> new LinkedHashMap<>())
          .merge(part.key(), part.known(), actor.aggregate::merge);
    }

    private void endUntil(long untilNs) {
      endedNs = Math.max(endedNs, untilNs);
      while (!open.isEmpty() && open.firstKey() + actor.sizeNs <= endedNs) {
        end();
      }
    }

    private void end() {
      Map.Entry<Long, Map<Object, A>> window = open.pollFirstEntry();
      long startNs = window.getKey();
      window
          .getValue()
          .forEach((key, known) ->
              Objects.requireNonNull(out, "out")
                  .accept(
                      new WindowResult<>(
                          key, startNs, startNs + actor.sizeNs, actor.aggregate.result(known))));
    }

    void endAll() {
      while (!open.isEmpty()) {
        end();
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
