package io.linerate.stream;

import io.linerate.graph.Links;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.TokenType;

/**
 * Where it goes what is known of windows that have ended.
 *
 * @param <A> what the aggregate knows
 */
interface WindowOutput<A> {
  /** A key of a window that has ended. */
  void ended(Object key, long startNs, long endNs, A known);

  /** All windows have ended that end until then; {@link WindowPart#IDLE}: no token comes. */
  void passed(long untilNs);

  /** The type of what leaves. */
  static TokenType type(boolean isPartial) {
    return TokenType.of(isPartial ? WindowPart.class : WindowResult.class);
  }

  /** Results, or parts of them. */
  static <A> WindowOutput<A> of(WindowActor<?, A> actor, Links links, int worker) {
    return actor.isPartial()
        ? new Parts<>(
            links.objects("out", WindowOutput.<WindowPart<A>>raw(WindowPart.class)), worker)
        : new Results<>(
            links.objects("out", WindowOutput.<WindowResult<?, ?>>raw(WindowResult.class)),
            actor.aggregate());
  }

  /** There is no class of any but the raw one. */
  @SuppressWarnings("unchecked")
  static <T> Class<T> raw(Class<?> type) {
    return (Class<T>) type;
  }

  /** Each key of each window. */
  record Results<A>(ObjectOutlet<WindowResult<?, ?>> out, Aggregate<?, A, ?> aggregate)
      implements WindowOutput<A> {
    @Override
    public void ended(Object key, long startNs, long endNs, A known) {
      out.accept(new WindowResult<>(key, startNs, endNs, aggregate.result(known)));
    }

    @Override
    public void passed(long untilNs) {}
  }

  /** What this worker knows. */
  record Parts<A>(ObjectOutlet<WindowPart<A>> out, int worker) implements WindowOutput<A> {
    @Override
    public void ended(Object key, long startNs, long endNs, A known) {
      out.accept(new WindowPart.Known<>(key, startNs, endNs, known));
    }

    @Override
    public void passed(long untilNs) {
      out.accept(new WindowPart.Progress<>(worker, untilNs));
    }
  }
}
