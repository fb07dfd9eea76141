package io.linerate.example;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;

/** Drops packets that are shorter than {@code minBytes}, as {@code too_short}. */
public record MinLength(int minBytes) implements Element {
  private static final DropReason TOO_SHORT = DropReason.named("too_short");

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            if (packet.length() < minBytes) {
              packet.drop(TOO_SHORT);
            }
          }
          out.push(burst);
        });
  }
}
