package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Rewrite;
import java.util.List;

/**
 * Writes the source address of packets of IPv4 and IPv6 that have one of some, behind up to two
 * VLAN tags, and the checksums that cover it. For errors of a router, which have to be from the
 * address of the link by which they leave: RFC 1812, section 4.3.2.4.
 *
 * <pre>
 * inputs      in
 * outputs     out: also all others, as they came
 * parameters  ipv4, ipv6: the new addresses; "" leaves what is there
 *             replaced: those that are written over
 * drops       none
 * example     g.add("own", new SetSource("192.0.2.1", "", List.of("203.0.113.1", "10.0.0.1")))
 * </pre>
 */
public record SetSource(String ipv4, String ipv6, List<String> replaced) implements Element {
  public SetSource {
    replaced = List.copyOf(replaced);
  }

  @Override
  public List<String> problems() {
    Parameters parameters =
        Parameters.check()
            .parsesIfAny("ipv4", ipv4, Ipv4Address::parse)
            .parsesIfAny("ipv6", ipv6, Ipv6Address::parse);
    replaced.forEach(text -> parameters.parses("replaced", text, AddressSet::requireAddress));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    AddressSet before = AddressSet.of(replaced);
    HeaderScanner scanner = new HeaderScanner();
    Ipv4 header = new Ipv4();
    Ipv6 header6 = new Ipv6();
    boolean isIpv4 = !ipv4.isEmpty();
    boolean isIpv6 = !ipv6.isEmpty();
    int address = isIpv4 ? Ipv4Address.parse(ipv4) : 0;
    Ipv6Address address6 = isIpv6 ? Ipv6Address.parse(ipv6) : new Ipv6Address(0, 0);
    long high = address6.high();
    long low = address6.low();
    wiring.each(
        "in",
        packet -> {
          scanner.scan(packet);
          int l3 = scanner.l3Offset();
          if (isIpv4 && scanner.ipVersion() == Ipv4.VERSION) {
            if (before.contains(header.wrap(packet, l3).source())) {
              boolean _ = Rewrite.sourceAddress(packet, scanner, address);
            }
          } else if (isIpv6 && scanner.ipVersion() == Ipv6.VERSION) {
            header6.wrap(packet, l3);
            if (before.contains(header6.sourceHigh(), header6.sourceLow())) {
              boolean _ = Rewrite.sourceAddress(packet, scanner, high, low);
            }
          }
        },
        wiring.output("out"));
  }
}
