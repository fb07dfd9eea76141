package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes one token of several: what has come when the first has waited for as long as it may, or
 * when the worker ends, is a shorter one.
 *
 * @param out {@code long[]}, {@code double[]} or {@code List}
 */
record BatchActor(TokenType in, TokenType out, int tokens, Duration maxDelay) implements Element {
  private static final int MOST = 1 << 20;

  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).tokenOutput("out", out);
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(KeptTokens.problems(in));
    if (tokens < 1 || tokens > MOST) {
      problems.add("bad batch: tokens=%d; write 1 to %d".formatted(tokens, MOST));
    }
    if (maxDelay.isNegative() || maxDelay.isZero()) {
      problems.add("bad delay: maxDelay=" + maxDelay + "; write more than 0");
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Batch batch = Batch.of(in, tokens);
    Filling<?> filling = new Filling<>(this, wiring, batch, out.carrier());
    if (batch instanceof Batch.OfLongs longs) {
      wiring.longs(
          "in",
          token -> {
            longs.add(token);
            filling.added();
          });
    } else if (batch instanceof Batch.OfDoubles doubles) {
      wiring.doubles(
          "in",
          token -> {
            doubles.add(token);
            filling.added();
          });
    } else {
      Batch.OfObjects objects = (Batch.OfObjects) batch;
      wiring.objects(
          "in",
          in.carrier(),
          token -> {
            objects.add(token);
            filling.added();
          });
    }
    wiring.linkRound(links -> filling.linked(links.objects("out", filling.type)));
    wiring.onFinish(filling::give);
    wiring.count("waiting", batch::size);
  }

  private static final class Filling<R> implements Round {
    private final Wiring wiring;
    private final Batch batch;
    private final Class<R> type;
    private final int tokens;
    private final long maxDelayNs;
    private @Nullable ObjectOutlet<?> out;
    private long sinceNs;

    Filling(BatchActor actor, Wiring wiring, Batch batch, Class<R> type) {
      this.wiring = wiring;
      this.batch = batch;
      this.type = type;
      tokens = actor.tokens;
      maxDelayNs = actor.maxDelay.toNanos();
    }

    Round linked(ObjectOutlet<?> outlet) {
      out = outlet;
      return this;
    }

    void added() {
      if (batch.size() == 1) {
        sinceNs = wiring.nowNs();
      }
      if (batch.size() == tokens) {
        give();
      }
    }

    @SuppressWarnings("unchecked") // The builder knows the class.
    void give() {
      if (batch.size() > 0) {
        ((ObjectOutlet<Object>) Objects.requireNonNull(out, "out")).accept(batch.take());
      }
    }

    @Override
    public int run() {
      if (batch.size() == 0 || wiring.nowNs() - sinceNs < maxDelayNs) {
        return 0;
      }
      give();
      return 1;
    }

    @Override
    public long restNs(Runnable wake) {
      return batch.size() == 0
          ? Long.MAX_VALUE
          : Math.max(0, sinceNs + maxDelayNs - wiring.nowNs());
    }
  }
}
