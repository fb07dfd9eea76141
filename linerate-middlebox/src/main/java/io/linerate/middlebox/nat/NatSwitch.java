package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.NumberedOutputs;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.QuotedPacket;
import java.util.List;

/**
 * Sends each packet to the worker whose {@link Nat} translates it: by the port inside, or outside,
 * which is one of the same worker. Errors of ICMP go where what they quote goes; what has no ports
 * goes to the first.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...: for each worker of the settings
 * parameters  settings: those of the Nat
 *             fromOutside: on which side it is
 * drops       none
 * example     Node spread = g.add("spread", new NatSwitch(settings, false));
 *             g.chain(lan, spread);
 *             g.chain(spread.out("out1"), g.add("queue1", Queue.dropping(4_096)), nat1.in("inside"))
 * </pre>
 */
public record NatSwitch(NatSettings settings, boolean fromOutside) implements NumberedOutputs {
  @Override
  public int outputs() {
    return settings.workers();
  }

  @Override
  public List<String> problems() {
    return settings.problems();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet[] outlets = NumberedOutputs.of(wiring, "out", outputs());
    Chooser chooser = new Chooser(new NatPlan(settings), fromOutside);
    wiring.input(
        "in",
        burst -> {
          for (Packet packet : burst) {
            outlets[chooser.worker(packet)].send(packet);
          }
        });
  }

  /** On one worker. */
  private static final class Chooser {
    private final NatPlan plan;
    private final boolean fromOutside;
    private final HeaderScanner scanner = new HeaderScanner();
    private final QuotedPacket quoted = new QuotedPacket();
    private final FlowKey flow = new FlowKey();

    Chooser(NatPlan plan, boolean fromOutside) {
      this.plan = plan;
      this.fromOutside = fromOutside;
    }

    int worker(Packet packet) {
      if (!scanner.scan(packet) || scanner.ipVersion() == 0) {
        return 0;
      }
      if (quoted.find(packet, scanner)) {
        flow.readQuoted(packet, quoted);
        return fromOutside
            ? ofPort(flow.sourceLow(), flow.sourcePort())
            : ofInside(flow.destinationPort());
      }
      if (!flow.readConnection(packet, scanner)) {
        return 0;
      }
      if (!fromOutside) {
        return ofInside(flow.sourcePort());
      }
      boolean isRequest =
          flow.protocol() == IpProtocol.ICMP
              && (!scanner.l4Fits()
                  || Icmp.isRequest(IpProtocol.ICMP, packet.u8(scanner.l4Offset())));
      return isRequest ? 0 : ofPort(flow.destinationLow(), flow.destinationPort());
    }

    private int ofInside(int port) {
      return NatPlan.kind(flow) == NatPlan.NONE ? 0 : plan.workerOf(port);
    }

    private int ofPort(long address, int port) {
      int kind = NatPlan.kind(flow);
      int index = plan.indexOf((int) address);
      return kind == NatPlan.NONE || index < 0 ? 0 : plan.workerOf(NatPlan.pool(index, kind), port);
    }
  }
}
