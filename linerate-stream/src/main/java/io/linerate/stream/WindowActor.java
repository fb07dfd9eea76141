package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a {@link WindowResult} of the tokens of each key in each window.
 *
 * @param isPartial makes a {@link WindowPart} instead, for windows that several workers know of
 * @param <T> class of the tokens
 * @param <A> what the aggregate knows
 */
record WindowActor<T, A>(
    TokenType in,
    KeyMaker<T> key,
    Window<T> window,
    Aggregate<T, A, ?> aggregate,
    boolean isPartial,
    Supervision supervision)
    implements Element {
  static final String LATE = "late";
  static final DropReason TOO_MANY_KEYS = DropReason.named("too_many_keys");
  static final DropReason TOO_LATE = DropReason.named(LATE);

  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("in", in)
        .tokenOutput("out", WindowOutput.type(isPartial))
        .optionalTokenOutput(LATE, in);
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>(window.problems());
    if (isPartial && window.tokens() > 0) {
      problems.add(
          "window of tokens on several workers: tokens=%d; each worker counts for itself: use window(…), or one of time"
              .formatted(window.tokens()));
    }
    return problems;
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows the class.
  public void open(Wiring wiring) {
    Class<T> type = (Class<T>) in.carrier();
    WindowStore<T, A> store = store(wiring);
    wiring.linkObjects(
        "in",
        type,
        links -> {
          ObjectOutlet<T> late = links.objects(LATE, type);
          return token -> {
            if (!store.add(token)) {
              if (late.isConnected()) {
                late.accept(token);
              } else {
                wiring.dropToken(TOO_LATE);
              }
            }
          };
        });
    wiring.linkRound(links -> {
      store.link(WindowOutput.of(this, links, wiring.worker()));
      return store;
    });
    wiring.onFinish(store::finish);
    wiring.count("windows", store::closed);
    wiring.count("keys", store::keys);
    Supervisor.watch(wiring, supervision, store::forget);
  }

  private WindowStore<T, A> store(Wiring wiring) {
    if (window.isSession()) {
      return new SessionWindows<>(this, wiring);
    }
    return window.tokens() > 0
        ? new CountedWindows<>(this, wiring)
        : new TimedWindows<>(this, wiring);
  }
}
