package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;

/**
 * Exchanges the addresses of each frame, so that it goes back to where it came from. A frame that
 * came to a group address would go back with that as its source, which no frame may have: put a
 * SetEthernet behind, or a Classifier before.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * drops       truncated_ethernet: no whole Ethernet header
 * example     g.chain(g.add("in", new FromPort("eth0")), g.add("back", new EtherMirror()),
 *                 g.add("out", new ToPort("eth0")))
 * </pre>
 */
public record EtherMirror() implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Mirror(wiring.output("out")));
  }

  /** On one worker. */
  private static final class Mirror implements BurstHandler {
    private final Outlet out;
    private final Ethernet ethernet = new Ethernet();

    Mirror(Outlet out) {
      this.out = out;
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        if (packet.length() < Ethernet.HEADER_BYTES) {
          packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_ETHERNET));
          continue;
        }
        Hosts.swap(ethernet.wrap(packet, 0));
      }
      out.push(burst);
    }
  }
}
