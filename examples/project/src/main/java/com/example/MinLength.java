package com.example;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;

/** Drops packets that are shorter than {@code minBytes}, as {@code too_short}. */
public record MinLength(int minBytes) implements Element {
  private static final DropReason TOO_SHORT = DropReason.named("too_short");

  @Override
  public void open(Wiring wiring) {
    wiring.each(
        "in",
        packet -> {
          if (packet.length() < minBytes) {
            packet.drop(TOO_SHORT);
          }
        },
        wiring.output("out"));
  }
}
