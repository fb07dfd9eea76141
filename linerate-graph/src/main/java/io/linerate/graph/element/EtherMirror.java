package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
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
  public void open(Wiring wiring) {
    Ethernet ethernet = new Ethernet();
    wiring.each("in", packet -> mirror(packet, ethernet), wiring.output("out"));
  }

  private static void mirror(Packet packet, Ethernet ethernet) {
    if (packet.length() < Ethernet.HEADER_BYTES) {
      packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_ETHERNET));
    } else {
      Turned.swap(ethernet.wrap(packet, 0));
    }
  }
}
