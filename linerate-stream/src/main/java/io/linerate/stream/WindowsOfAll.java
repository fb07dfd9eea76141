package io.linerate.stream;

import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Wiring;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Windows that have not ended on all workers, on the one that joins what they know.
 *
 * @param <A> what the aggregate knows
 */
abstract class WindowsOfAll<A> {
  private final Aggregate<?, A, ?> aggregate;
  final Wiring wiring;
  private @Nullable ObjectOutlet<Object> out;

  /** No worker is before. */
  private long endedNs = Long.MIN_VALUE;

  WindowsOfAll(Aggregate<?, A, ?> aggregate, Wiring wiring) {
    this.aggregate = aggregate;
    this.wiring = wiring;
  }

  /** Where results go from now on. */
  final void link(ObjectOutlet<Object> outlet) {
    out = outlet;
  }

  /** A worker knows something of a window. */
  final void take(WindowPart.Known<A> part) {
    if (part.endNs() <= endedNs) {
      wiring.dropToken(WindowActor.TOO_LATE);
    } else {
      add(part);
    }
  }

  /** No worker is before that time: what ends until then has ended. */
  final void passed(long untilNs) {
    endedNs = Math.max(endedNs, untilNs);
    endUntil(endedNs);
  }

  final A merge(A one, A other) {
    return aggregate.merge(one, other);
  }

  final WindowResult<?, ?> result(Object key, long startNs, long endNs, A known) {
    return new WindowResult<>(key, startNs, endNs, aggregate.result(known));
  }

  final void emit(Object token) {
    Objects.requireNonNull(out, "out").accept(token);
  }

  /** Adds what is known of a window that has not ended. */
  abstract void add(WindowPart.Known<A> part);

  /** Hands on what ends until then. */
  abstract void endUntil(long untilNs);

  /** Hands on what has not ended. */
  final void endAll() {
    endUntil(Long.MAX_VALUE);
  }

  /** What has not ended. */
  abstract int size();
}
