package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import java.util.List;

/**
 * Answers ICMP and ICMPv6 echo requests to its addresses, behind up to two VLAN tags: RFC 1122,
 * section 3.2.2.6, and RFC 4443, section 4.2. The request becomes the reply, in its buffer.
 *
 * <p>Requests to several hosts, from an address that is no host's, in fragments (see Reassemble),
 * and with IPv4 options, extension or authentication headers are not answered.
 *
 * <pre>
 * inputs      in
 * outputs     out: replies
 *             rest (may be left unconnected: such packets are dropped): everything else, as it came
 * parameters  addresses: IPv4 and IPv6
 * drops       not_answered: of rest
 *             bad_checksum: an echo request to its addresses that was changed on its way
 * reads       replies
 * example     g.add("ping", IcmpPingResponder.of("192.0.2.1", "2001:db8::1"))
 * </pre>
 */
public record IcmpPingResponder(List<String> addresses) implements Element {
  public static final DropReason BAD_CHECKSUM = DropReason.named("bad_checksum");

  /** RFC 1700's default, and that of RFC 4861's routers. */
  private static final int TTL = 64;

  public IcmpPingResponder {
    addresses = List.copyOf(addresses);
  }

  public static IcmpPingResponder of(String... addresses) {
    return new IcmpPingResponder(List.of(addresses));
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    Parameters parameters = Parameters.check();
    parameters.require(
        !addresses.isEmpty(), "no address: addresses=; write one, such as 192.0.2.1");
    addresses.forEach(text -> parameters.parses("addresses", text, AddressSet::requireAddress));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    Responder responder = new Responder(AddressSet.of(addresses), wiring);
    wiring.input("in", responder);
    wiring.count("replies", () -> responder.replies);
  }

  /** On one worker. */
  private static final class Responder implements BurstHandler {
    private final AddressSet addresses;
    private final Outlet out;
    private final Outlet rest;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ethernet ethernet = new Ethernet();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Icmp icmp = new Icmp();
    private long replies;

    Responder(AddressSet addresses, Wiring wiring) {
      this.addresses = addresses;
      out = wiring.output("out");
      rest = wiring.output("rest");
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        if (!isWhole(packet)) {
          rest.send(packet, ArpResponder.NOT_ANSWERED);
        } else if (isEcho4(packet)) {
          answer4(packet);
        } else if (isEcho6(packet)) {
          answer6(packet);
        } else {
          rest.send(packet, ArpResponder.NOT_ANSWERED);
        }
      }
    }

    private boolean isWhole(Packet packet) {
      return scanner.scan(packet)
          && scanner.defect() == HeaderDefect.NONE
          && scanner.l4Fits()
          && !scanner.isFragment()
          && !MacAddress.isMulticast(ethernet.wrap(packet, 0).destination());
    }

    private boolean isEcho4(Packet packet) {
      if (scanner.ipVersion() != Ipv4.VERSION || scanner.ipProtocol() != IpProtocol.ICMP) {
        return false;
      }
      ipv4.wrap(packet, scanner.l3Offset());
      icmp.wrap(packet, scanner.l4Offset());
      return icmp.type() == Icmp.ECHO
          && icmp.code() == 0
          && scanner.l4Offset() == scanner.l3Offset() + Ipv4.HEADER_BYTES
          && addresses.contains(ipv4.destination())
          && Ipv4Address.isHost(ipv4.source());
    }

    private void answer4(Packet packet) {
      if (!InternetChecksum.verifyIcmp(packet, scanner.l4Offset(), scanner.l4Bytes())) {
        packet.drop(BAD_CHECKSUM);
        return;
      }
      icmp.type(Icmp.ECHO_REPLY)
          .checksum(
              InternetChecksum.update16(icmp.checksum(), Icmp.ECHO << 8, Icmp.ECHO_REPLY << 8));
      Turned.swap(ipv4);
      ipv4.ttl(TTL);
      InternetChecksum.writeIpv4Header(packet, scanner.l3Offset());
      reply(packet);
    }

    private boolean isEcho6(Packet packet) {
      int l3 = scanner.l3Offset();
      if (scanner.ipVersion() != Ipv6.VERSION || scanner.l4Offset() != l3 + Ipv6.HEADER_BYTES) {
        return false;
      }
      ipv6.wrap(packet, l3);
      icmp.wrap(packet, scanner.l4Offset());
      return scanner.ipProtocol() == IpProtocol.ICMPV6
          && icmp.type() == Icmpv6.ECHO_REQUEST
          && icmp.code() == 0
          && addresses.contains(ipv6.destinationHigh(), ipv6.destinationLow())
          && Ipv6Address.isHost(ipv6.sourceHigh(), ipv6.sourceLow());
    }

    private void answer6(Packet packet) {
      int l3 = scanner.l3Offset();
      if (!InternetChecksum.verifyIcmpv6(packet, l3, scanner.l4Offset(), scanner.l4Bytes())) {
        packet.drop(BAD_CHECKSUM);
        return;
      }
      int request = Icmpv6.ECHO_REQUEST << 8;
      int reply = Icmpv6.ECHO_REPLY << 8;
      icmp.type(Icmpv6.ECHO_REPLY)
          .checksum(InternetChecksum.update16(icmp.checksum(), request, reply));
      Turned.swap(ipv6);
      ipv6.hopLimit(TTL);
      reply(packet);
    }

    private void reply(Packet packet) {
      Turned.swap(ethernet);
      replies++;
      out.send(packet);
    }
  }
}
