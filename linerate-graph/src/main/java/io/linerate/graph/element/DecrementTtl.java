package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Rewrite;

/**
 * Takes one from the time to live of IPv4 packets (RFC 1812, section 5.3.1) and from the hop limit
 * of IPv6 packets (RFC 8200, section 3), as a router does. The IPv4 header checksum is updated, not
 * made anew (RFC 1624): one that was wrong stays wrong.
 *
 * <pre>
 * inputs      in
 * outputs     out; expired (may be left unconnected: such packets are dropped): packets that have 0
 *             or 1, as they came, for IcmpError
 * drops       ttl_expired: 0 or 1
 *             non_ip; truncated_ip and others of CheckIpv4 and CheckIpv6: no sound header
 * example     g.chain(ttl.out("expired"), g.add("tell", IcmpError.timeExceeded("192.0.2.1", "")), ...)
 * </pre>
 */
public record DecrementTtl() implements Element {
  public static final DropReason TTL_EXPIRED = DropReason.named("ttl_expired");
  private static final DropReason NON_IP = DropReason.named("non_ip");

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("expired");
  }

  @Override
  public void open(Wiring wiring) {
    Decrementer decrementer = new Decrementer(wiring.output("expired"));
    wiring.each("in", decrementer::decrement, wiring.output("out"));
  }

  /** On one worker. */
  private static final class Decrementer {
    private final Outlet expired;
    private final HeaderScanner scanner = new HeaderScanner();

    Decrementer(Outlet expired) {
      this.expired = expired;
    }

    void decrement(Packet packet) {
      if (!scanner.scan(packet)) {
        packet.drop(DefectReasons.of(scanner));
      } else if (scanner.ipVersion() == 0) {
        packet.drop(NON_IP);
      } else if (!Rewrite.decrementHops(packet, scanner)) {
        expired.send(packet, TTL_EXPIRED);
      }
    }
  }
}
