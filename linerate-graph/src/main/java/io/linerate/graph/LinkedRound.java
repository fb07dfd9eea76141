package io.linerate.graph;

import java.lang.invoke.MethodHandles;

/**
 * A round that hands tokens on: its class is made once for each, see {@link HandlerClass}, so that
 * the compiler knows all that it calls.
 */
final class LinkedRound implements Round {
  private static final Round ROUND = HandlerClass.constant(MethodHandles.lookup(), Round.class);

  LinkedRound() {}

  static Round of(Round round) {
    return HandlerClass.makeRoot(
        MethodHandles.lookup(), LinkedRound.class, "run", round, Round.class);
  }

  @Override
  public int run() throws Exception {
    return ROUND.run();
  }

  @Override
  public boolean isActive() {
    return ROUND.isActive();
  }

  @Override
  public long restNs(Runnable wake) {
    return ROUND.restNs(wake);
  }
}
