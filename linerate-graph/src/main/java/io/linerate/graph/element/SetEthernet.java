package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.MacAddress;
import java.util.List;

/**
 * Writes the addresses of each frame.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  destination, source: MAC addresses such as 02:00:5e:10:00:01; "" leaves what is there
 * drops       truncated_ethernet: no whole Ethernet header
 * example     g.add("next", new SetEthernet("02:00:00:00:00:02", "02:00:00:00:00:01"))
 * </pre>
 */
public record SetEthernet(String destination, String source) implements Element {
  private static final long LEAVE = -1;

  @Override
  public List<String> problems() {
    return Parameters.check()
        .parses("destination", destination, SetEthernet::address)
        .parses("source", source, SetEthernet::address)
        .problems();
  }

  private static long address(String text) {
    return text.isEmpty() ? LEAVE : MacAddress.parse(text);
  }

  @Override
  public void open(Wiring wiring) {
    Ethernet ethernet = new Ethernet();
    long to = address(destination);
    long from = address(source);
    wiring.each("in", packet -> write(packet, ethernet, to, from), wiring.output("out"));
  }

  private static void write(Packet packet, Ethernet ethernet, long destination, long source) {
    if (packet.length() < Ethernet.HEADER_BYTES) {
      packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_ETHERNET));
      return;
    }
    ethernet.wrap(packet, 0);
    if (destination != LEAVE) {
      ethernet.destination(destination);
    }
    if (source != LEAVE) {
      ethernet.source(source);
    }
  }
}
