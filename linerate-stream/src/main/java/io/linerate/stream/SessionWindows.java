package io.linerate.stream;

import io.linerate.graph.Wiring;

/**
 * Windows of each key of its own, which end when no token has come for a gap. Those of several
 * workers are handed over in parts, at each step all that is known: a session on another worker may
 * go on with what was one here.
 */
final class SessionWindows<T, A> extends ClockedWindows<T, A> {
  private final long gapNs;
  private final Sessions<T, A> sessions;
  private final Sessions.Ended<A> ended = this::emit;

  SessionWindows(WindowActor<T, A> actor, Wiring wiring) {
    super(actor, wiring);
    gapNs = actor.window().gapNs();
    WindowKeys keys = actor.window().keys();
    sessions = new Sessions<>(actor.key().keys(keys), keys.most(), actor.aggregate()::merge);
  }

  @Override
  boolean add(T token, long atNs, long watermarkNs) {
    long endNs = atNs + gapNs;
    if (endNs <= watermarkNs) {
      return false;
    }
    int session = sessions.open(token, atNs, endNs);
    if (session == Keys.NONE) {
      wiring.dropToken(WindowActor.TOO_MANY_KEYS);
      return true;
    }
    A before = sessions.known(session);
    A known = before == null ? actor.aggregate().create() : before;
    sessions.known(session, actor.aggregate().add(known, token));
    return true;
  }

  @Override
  void endUntil(long untilNs, boolean isNextStep) {
    if (!actor.isPartial()) {
      sessions.endUntil(untilNs, ended);
    } else if (isNextStep) {
      closeAll();
    }
  }

  @Override
  void closeAll() {
    sessions.endUntil(Long.MAX_VALUE, ended);
  }

  @Override
  void idle() {
    closeAll();
  }

  @Override
  void forget() {
    sessions.clear();
  }

  @Override
  long keys() {
    return sessions.size();
  }

  @Override
  long nextEndNs() {
    return sessions.nextEndNs();
  }
}
