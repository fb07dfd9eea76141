package io.linerate.bench.elements;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;

/** Adds one to a byte of each packet, as a field of a header is changed. */
record Increment(int offset) implements Element {
  private static final DropReason TOO_SHORT = DropReason.named("too_short");

  @Override
  public void open(Wiring wiring) {
    wiring.each("in", this::increment, wiring.output("out"));
  }

  private void increment(Packet packet) {
    if (packet.length() <= offset) {
      packet.drop(TOO_SHORT);
    } else {
      packet.u8(offset, (packet.u8(offset) + 1) & 0xFF);
    }
  }
}
