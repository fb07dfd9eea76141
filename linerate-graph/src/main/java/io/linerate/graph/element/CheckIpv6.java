package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes on sound IPv6 packets, behind up to two VLAN tags: header and extension headers of RFC
 * 8200, addresses of RFC 4291. Padding behind the packet stays.
 *
 * <pre>
 * inputs      in
 * outputs     out; bad (may be left unconnected: bad packets are dropped)
 * parameters  own: addresses of the router itself, from which nobody else sends; without it none
 * drops       not_ipv6: another ether type, or no whole Ethernet header
 *             truncated_ip, bad_ip_version: header
 *             truncated_extension_header, too_many_extension_headers: more than 8;
 *             nested_fragment: a second fragment header
 *             truncated_payload: fewer bytes than the payload length claims
 *             bad_source: multicast or loopback (RFC 4291, sections 2.7 and 2.5.3), or one of its own
 *             bad_destination: unspecified or loopback (sections 2.5.2 and 2.5.3)
 * example     g.chain(kind.out("ip6"), g.add("sound6", new CheckIpv6()), ...)
 * </pre>
 */
public record CheckIpv6(List<String> own) implements Element {
  public static final DropReason NOT_IPV6 = DropReason.named("not_ipv6");
  public static final DropReason BAD_DESTINATION = DropReason.named("bad_destination");

  public CheckIpv6() {
    this(List.of());
  }

  public CheckIpv6 {
    own = List.copyOf(own);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("bad");
  }

  @Override
  public List<String> problems() {
    Parameters parameters = Parameters.check();
    own.forEach(text -> parameters.parses("own", text, Ipv6Address::parse));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    DefectReasons.sort(wiring, new Check(AddressSet.of(own))::defect);
  }

  /** On one worker. */
  private static final class Check {
    private final AddressSet own;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ipv6 ipv6 = new Ipv6();

    Check(AddressSet own) {
      this.own = own;
    }

    @Nullable DropReason defect(Packet packet) {
      boolean isSound = scanner.scan(packet);
      if (scanner.etherType() != EtherType.IPV6) {
        return NOT_IPV6;
      }
      if (!isSound) {
        return DefectReasons.of(scanner);
      }
      ipv6.wrap(packet, scanner.l3Offset());
      if (ipv6.payloadLength() > packet.length() - ipv6.payloadOffset()) {
        return DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD);
      }
      long high = ipv6.sourceHigh();
      long low = ipv6.sourceLow();
      if (Ipv6Address.isMulticast(high) || isLoopback(high, low) || own.contains(high, low)) {
        return CheckIpv4.BAD_SOURCE;
      }
      // Of all addresses from :: to ::1, neither may be on a link.
      boolean isLocal = ipv6.destinationHigh() == 0 && ipv6.destinationLow() >>> 1 == 0;
      return isLocal ? BAD_DESTINATION : null;
    }

    private static boolean isLoopback(long high, long low) {
      return high == 0 && low == 1;
    }
  }
}
