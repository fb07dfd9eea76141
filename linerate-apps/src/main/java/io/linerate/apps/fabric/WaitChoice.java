package io.linerate.apps.fabric;

import io.linerate.fabric.Waiting;
import java.util.Locale;

/** How to wait for messages, as the command line says it. */
enum WaitChoice {
  SPIN,
  YIELD,
  SLEEP,
  ADAPTIVE;

  Waiting waiting() {
    return Waiting.named(name().toLowerCase(Locale.ROOT));
  }
}
