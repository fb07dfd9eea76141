package io.linerate.apps.firewall;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.QuotedPacket;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sends all packets of a connection, in both directions, to the same one of its outputs, and errors
 * of ICMP where the packet goes that they are about.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...; what is of no connection goes to out1
 * parameters  outputs: 1 to 64
 *             seed: changes the choice; one that nobody knows makes it hard to choose connections
 *             that all go one way
 * drops       none
 * </pre>
 */
record ConnectionSwitch(int outputs, long seed) implements Element {
  @Override
  public Shape shape() {
    Shape shape = Shape.NONE.input("in").anyLink();
    for (String name : names()) {
      shape = shape.output(name);
    }
    return shape;
  }

  private List<String> names() {
    return IntStream.rangeClosed(1, outputs).mapToObj(number -> "out" + number).toList();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet[] outlets = names().stream().map(wiring::output).toArray(Outlet[]::new);
    HeaderScanner scanner = new HeaderScanner();
    QuotedPacket quoted = new QuotedPacket();
    FlowKey key = new FlowKey(seed);
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            boolean isFlow = scanner.scanAny(packet) && isFlow(packet, scanner, quoted, key);
            // The upper half of the hash, scaled to the number of outputs: no division.
            long scaled = isFlow ? (key.symmetricHash() >>> 32) * outlets.length : 0;
            outlets[(int) (scaled >>> 32)].send(packet);
          }
        });
  }

  private static boolean isFlow(
      Packet packet, HeaderScanner scanner, QuotedPacket quoted, FlowKey key) {
    if (scanner.ipVersion() == 0) {
      return false;
    }
    if (quoted.find(packet, scanner)) {
      key.readQuoted(packet, quoted);
      return true;
    }
    return key.readConnection(packet, scanner);
  }
}
