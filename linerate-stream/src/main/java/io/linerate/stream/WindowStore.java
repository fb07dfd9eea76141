package io.linerate.stream;

import io.linerate.graph.Round;
import io.linerate.graph.Wiring;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one worker that have not ended. One thread's own.
 *
 * @param <T> class of the tokens
 * @param <A> what the aggregate knows
 */
abstract class WindowStore<T, A> implements Round {
  final WindowActor<T, A> actor;
  final Wiring wiring;
  private @Nullable WindowOutput<A> out;
  private long closed;

  WindowStore(WindowActor<T, A> actor, Wiring wiring) {
    this.actor = actor;
    this.wiring = wiring;
  }

  /** Where results go from now on. */
  final void link(WindowOutput<A> output) {
    out = output;
  }

  /** Results that were handed on. */
  final long closed() {
    return closed;
  }

  /** Adds a token to its windows; false: it belongs to none that has not ended. */
  abstract boolean add(T token);

  /** Hands on what is known of windows that have not ended. */
  abstract void closeAll();

  /** Forgets all that is known. */
  abstract void forget();

  /** Keys of windows that have not ended. */
  abstract long keys();

  final void emit(Object key, long startNs, long endNs, A known) {
    closed++;
    output().ended(key, startNs, endNs, known);
  }

  final WindowOutput<A> output() {
    return Objects.requireNonNull(out, "out");
  }

  /** Nothing comes any more. */
  final void finish() {
    closeAll();
    output().passed(WindowPart.IDLE);
  }

  /** What is known of each key. */
  final class Pane {
    final Keys<T> keys = actor.key().keys(actor.window().keys());
    private @Nullable Object[] known = new Object[16];

    /** Adds a token; its key's number, or {@link Keys#NONE} if there are too many keys. */
    @SuppressWarnings("unchecked") // Only such are put in.
    int add(T token) {
      int number = keys.number(token);
      if (number == Keys.NONE) {
        wiring.dropToken(WindowActor.TOO_MANY_KEYS);
        return number;
      }
      if (number >= known.length) {
        known = Arrays.copyOf(known, 2 * number);
      }
      A before = (A) known[number];
      known[number] =
          actor.aggregate().add(before == null ? actor.aggregate().create() : before, token);
      return number;
    }

    @SuppressWarnings("unchecked") // Only such are put in.
    A known(int number) {
      return (A) Objects.requireNonNull(known[number]);
    }

    boolean has(int number) {
      return known[number] != null;
    }

    void remove(int number) {
      known[number] = null;
      keys.remove(number);
    }

    void clear() {
      Arrays.fill(known, 0, Math.min(known.length, keys.end()), null);
      keys.clear();
    }
  }
}
