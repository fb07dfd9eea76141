package io.linerate.stream;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Makes a {@link WindowResult} of the tokens of each key in each window.
 *
 * @param <T> class of the tokens
 * @param <A> what the aggregate knows
 */
record WindowActor<T, A>(
    TokenType in,
    KeyMaker<T> key,
    Window<T> window,
    Aggregate<T, A, ?> aggregate,
    Supervision supervision)
    implements Element {
  static final String LATE = "late";
  static final DropReason TOO_MANY_KEYS = DropReason.named("too_many_keys");
  private static final DropReason TOO_LATE = DropReason.named("late");

  @SuppressWarnings("unchecked") // There is no class of any but the raw one.
  private static Class<WindowResult<?, ?>> resultType() {
    Class<?> type = WindowResult.class;
    return (Class<WindowResult<?, ?>>) type;
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .tokenInput("in", in)
        .tokenOutput("out", TokenType.of(resultType()))
        .optionalTokenOutput(LATE, in);
  }

  @Override
  public List<String> problems() {
    return window.problems();
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows the class.
  public void open(Wiring wiring) {
    Class<T> type = (Class<T>) in.carrier();
    WindowStore<T, A> store =
        window.tokens() > 0 ? new CountedWindows<>(this, wiring) : new TimedWindows<>(this, wiring);
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
      store.link(links.objects("out", resultType()));
      return store;
    });
    wiring.onFinish(store::closeAll);
    wiring.count("windows", store::closed);
    wiring.count("keys", store::keys);
    Supervisor.watch(wiring, supervision, store::forget);
  }
}
