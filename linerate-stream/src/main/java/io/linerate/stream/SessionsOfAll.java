package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.function.UnaryOperator;

/** Sessions of keys, of which workers know parts: those that overlap are one. */
final class SessionsOfAll<A> extends WindowsOfAll<A> {
  private final Sessions<WindowPart.Known<A>, A> sessions;

  SessionsOfAll(CombineActor<A> actor, Wiring wiring) {
    super(actor.aggregate(), wiring);
    WindowKeys keys = actor.window().keys();
    sessions =
        new Sessions<>(
            Keys.ofObjects(WindowPart.Known::key, UnaryOperator.identity(), keys),
            keys.most(),
            this::merge);
  }

  @Override
  void add(WindowPart.Known<A> part) {
    int session = sessions.open(part, part.startNs(), part.endNs());
    if (session == Keys.NONE) {
      wiring.dropToken(WindowActor.TOO_MANY_KEYS);
      return;
    }
    A before = sessions.known(session);
    sessions.known(session, before == null ? part.known() : merge(before, part.known()));
  }

  @Override
  void endUntil(long untilNs) {
    sessions.endUntil(
        untilNs, (key, startNs, endNs, known) -> emit(result(key, startNs, endNs, known)));
  }

  @Override
  int size() {
    return sessions.size();
  }
}
