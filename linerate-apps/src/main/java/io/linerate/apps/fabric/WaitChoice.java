package io.linerate.apps.fabric;

import io.linerate.fabric.Waiting;

/** How to wait for messages, as the command line says it. */
enum WaitChoice {
  SPIN,
  YIELD,
  SLEEP,
  ADAPTIVE;

  Waiting waiting() {
    return switch (this) {
      case SPIN -> Waiting.SPIN;
      case YIELD -> Waiting.YIELD;
      case SLEEP -> Waiting.SLEEP;
      case ADAPTIVE -> Waiting.ADAPTIVE;
    };
  }
}
