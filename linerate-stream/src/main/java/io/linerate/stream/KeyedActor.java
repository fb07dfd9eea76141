package io.linerate.stream;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.function.Supplier;

/** Does something with tokens of each key, of which something is kept. */
record KeyedActor<K, S, T>(
    TokenType in,
    TokenType out,
    KeyMaker<T> key,
    Supplier<? extends KeyedProcess<K, S, T, ?>> process,
    KeyedSettings<K, S> settings,
    Supervision supervision)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.tokenInput("in", in).tokenOutput("out", out);
  }

  @Override
  public List<String> problems() {
    return settings.problems();
  }

  @Override
  @SuppressWarnings("unchecked") // The builder knows the classes.
  public void open(Wiring wiring) {
    SavedStates<K, S> saved = wiring.shared(() -> SavedStates.of(settings));
    KeyedStates<K, S, T> states = new KeyedStates<>(this, wiring, saved);
    saved.join();
    wiring.linkObjects(
        "in",
        (Class<T>) in.carrier(),
        links -> {
          states.link(Places.out(links, "out", out));
          return states;
        });
    wiring.linkRound(_ -> states);
    wiring.onFinish(states::leave);
    wiring.count("keys", states::size);
    wiring.count("timed_out", states::timedOut);
    wiring.count("displaced", states::displaced);
    settings.file().ifPresent(_ -> wiring.write("save", ValueType.TEXT, _ -> states.save()));
    Supervisor.watch(wiring, supervision, states::restart);
  }

  /** What it does on one worker. */
  @SuppressWarnings("unchecked") // What takes the tokens of the output.
  KeyedProcess<K, S, T, Object> make() {
    KeyedProcess<K, S, T, ?> made = process.get();
    if (made == null) {
      throw new ConfigException("actor does nothing: process=null; return a KeyedProcess");
    }
    return (KeyedProcess<K, S, T, Object>) made;
  }
}
