package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;

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
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();

    Decrementer(Outlet expired) {
      this.expired = expired;
    }

    void decrement(Packet packet) {
      if (!scanner.scan(packet)) {
        packet.drop(DefectReasons.of(scanner));
      } else if (scanner.ipVersion() == Ipv4.VERSION) {
        decrement(packet, ipv4.wrap(packet, scanner.l3Offset()));
      } else if (scanner.ipVersion() == Ipv6.VERSION) {
        decrement(packet, ipv6.wrap(packet, scanner.l3Offset()));
      } else {
        packet.drop(NON_IP);
      }
    }

    private void decrement(Packet packet, Ipv4 header) {
      int ttl = header.ttl();
      if (ttl <= 1) {
        expired.send(packet, TTL_EXPIRED);
        return;
      }
      int protocol = header.protocol();
      int checksum =
          InternetChecksum.update16(
              header.headerChecksum(), ttl << 8 | protocol, (ttl - 1) << 8 | protocol);
      header.ttl(ttl - 1).headerChecksum(checksum);
    }

    private void decrement(Packet packet, Ipv6 header) {
      int hopLimit = header.hopLimit();
      if (hopLimit <= 1) {
        expired.send(packet, TTL_EXPIRED);
      } else {
        header.hopLimit(hopLimit - 1);
      }
    }
  }
}
