package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.CarriedPacket;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.QuotedPacket;

/**
 * Sends all packets of a flow to the same one of its outputs, both directions to the same: by a
 * hash of addresses, protocol and ports. All fragments of a datagram go one way, but not that of
 * the flow's whole packets, since only the first fragment has ports. An error of ICMP goes where
 * the packet goes that it quotes.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...; what is not IP goes to out1
 * parameters  outputs: 1 to 64
 *             seed: changes the choice; one that nobody knows makes it hard to choose flows that
 *             all go one way. HashSwitch(outputs) has 0
 *             keepsTunnels: whether all packets of tunnels between two addresses go one way, whatever
 *             their ports, which both directions choose for themselves: see CarriedPacket
 * drops       none
 * example     g.chain(in, g.add("spread", new HashSwitch(4)), ...)
 * </pre>
 */
public record HashSwitch(int outputs, long seed, boolean keepsTunnels) implements NumberedOutputs {
  public HashSwitch(int outputs) {
    this(outputs, 0);
  }

  public HashSwitch(int outputs, long seed) {
    this(outputs, seed, false);
  }

  @Override
  public Shape shape() {
    return NumberedOutputs.super.shape().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet[] outlets = NumberedOutputs.of(wiring, "out", outputs);
    HeaderScanner scanner = new HeaderScanner();
    QuotedPacket quoted = new QuotedPacket();
    CarriedPacket carried = new CarriedPacket();
    FlowKey key = new FlowKey(seed);
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            boolean isFlow = scanner.scanAny(packet) && isFlow(packet, scanner, quoted, key);
            if (isFlow && keepsTunnels && carried.find(packet, scanner)) {
              key.forgetPorts();
            }
            // The upper half of the hash, scaled to the number of outputs: no division.
            long scaled = isFlow ? (key.symmetricHash() >>> 32) * outlets.length : 0;
            outlets[(int) (scaled >>> 32)].send(packet);
          }
        });
  }

  private static boolean isFlow(
      Packet packet, HeaderScanner scanner, QuotedPacket quoted, FlowKey key) {
    if (quoted.find(packet, scanner)) {
      key.readQuoted(packet, quoted);
      return true;
    }
    return key.readConnection(packet, scanner);
  }
}
