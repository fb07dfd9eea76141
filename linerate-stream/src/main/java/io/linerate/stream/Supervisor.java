package io.linerate.stream;

import io.linerate.graph.Wiring;

/** Carries a {@link Supervision} out. */
final class Supervisor {
  private Supervisor() {}

  /** Of an actor that keeps nothing. */
  static void watch(Wiring wiring, Supervision supervision) {
    watch(wiring, supervision, () -> {});
  }

  /**
   * Of an actor.
   *
   * @param restart lets it begin anew
   */
  static void watch(Wiring wiring, Supervision supervision, Runnable restart) {
    switch (supervision) {
      case SKIP -> {}
      case RESTART -> wiring.onFailure(_ -> restart.run());
      case STOP -> wiring.stopOnFailure();
    }
  }
}
