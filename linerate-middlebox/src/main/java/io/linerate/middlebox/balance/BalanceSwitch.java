package io.linerate.middlebox.balance;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.NumberedOutputs;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.QuotedPacket;

/**
 * Sends each packet of IPv4 to the worker whose {@link Balance} knows its connection: by the
 * client's address and port, which are the same on both sides. Errors of ICMP go where what they
 * quote goes.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...
 * parameters  outputs: 1 to 64
 *             fromServer: on which side it is
 *             seed: changes the choice, the same on both sides
 * drops       none
 * example     Node spread = g.add("spread", new BalanceSwitch(2, false, seed));
 *             g.chain(spread.out("out1"), g.add("queue1", Queue.dropping(4_096).to(0)), balance.in("client"))
 * </pre>
 */
public record BalanceSwitch(int outputs, boolean fromServer, long seed) implements NumberedOutputs {
  @Override
  public void open(Wiring wiring) {
    Outlet[] outlets = NumberedOutputs.of(wiring, "out", outputs);
    HeaderScanner scanner = new HeaderScanner();
    QuotedPacket quoted = new QuotedPacket();
    FlowKey flow = new FlowKey();
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            outlets[choose(packet, scanner, quoted, flow)].send(packet);
          }
        });
  }

  private int choose(Packet packet, HeaderScanner scanner, QuotedPacket quoted, FlowKey flow) {
    if (!scanner.scan(packet) || scanner.ipVersion() != Ipv4.VERSION) {
      return 0;
    }
    // What an error quotes has gone the other way.
    boolean isError = quoted.find(packet, scanner);
    if (isError) {
      flow.readQuoted(packet, quoted);
    } else if (!flow.read(packet, scanner)) {
      return 0;
    }
    boolean isClientSource = fromServer == isError;
    long client =
        isClientSource
            ? (flow.sourceLow() << 16) | flow.sourcePort()
            : (flow.destinationLow() << 16) | flow.destinationPort();
    long mixed = (client ^ seed) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xBF58_476D_1CE4_E5B9L;
    return (int) (((mixed >>> 32) * outputs) >>> 32);
  }
}
