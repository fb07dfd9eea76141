package io.linerate.bench.middlebox;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;

/**
 * Gives packets the Ethernet addresses of their next hops, which are known for good: what a table
 * of neighbors does that never has to ask.
 *
 * <pre>
 * inputs      in: packets as a Route leaves them, whose next hops differ in one byte
 * outputs     out
 * parameters  hopByte: offset of that byte
 * </pre>
 */
record HopAddresses(int hopByte) implements Element {
  /** As route.c says. */
  private static final long OWN_MAC = 0x0200_0000_0001L;

  private static final long FIRST_MAC = 0x0200_0000_0100L;

  @Override
  public Shape shape() {
    return Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    Ethernet ethernet = new Ethernet();
    long[] macs = new long[RouteTables.HOPS];
    for (int hop = 0; hop < macs.length; hop++) {
      macs[hop] = FIRST_MAC + hop;
    }
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            ethernet.wrap(packet, 0).destination(macs[packet.u8(hopByte)]).source(OWN_MAC);
          }
          out.push(burst);
        });
  }
}
