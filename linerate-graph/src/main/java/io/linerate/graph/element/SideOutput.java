package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;

/**
 * An optional output for packets that an element does not pass on: it takes them if it leads
 * anywhere, and otherwise they are dropped, each for its own reason.
 */
final class SideOutput {
  private final Outlet outlet;

  SideOutput(Wiring wiring, String name) {
    outlet = wiring.output(name);
  }

  void take(Packet packet, DropReason reason) {
    if (outlet.isConnected()) {
      outlet.send(packet);
    } else {
      packet.drop(reason);
    }
  }
}
