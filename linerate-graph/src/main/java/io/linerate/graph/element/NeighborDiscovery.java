package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ipv6Address;
import java.util.List;

/**
 * Gives IPv6 packets the Ethernet addresses of their next hops on a link, which it asks for by
 * neighbor solicitations, and answers those for its own addresses: a host's part of RFC 4861,
 * section 7. The next hop is the destination, if the link has it, or else the router; packets to a
 * group (RFC 2464, section 7) ask nobody.
 *
 * <p>Packets wait while their neighbor is asked for: three times, a second apart. An address is
 * confirmed by a question to its neighbor when it is used after some time, and forgotten after a
 * longer one. Messages are believed if their hop limit is 255, so that they are from this link.
 * Frames are untagged: put a VlanPush behind it for a link with tags.
 *
 * <p>It does not look for duplicates of its addresses (RFC 4862), though it defends them; it reads
 * no router advertisements and redirects, and does not join groups (RFC 3810) where switches ask
 * for that.
 *
 * <pre>
 * inputs      in: frames of IPv6 packets, whose Ethernet addresses are written
 *             via: the same, of which bytes 2 to 9 are the last half of the next hop's address, and
 *             bytes 0 and 1 say the first: 1 for fe80::, 2 to 255 for that of the first and further
 *             addresses of this; 0: the next hop is the destination
 *             messages: what came from the link. On a port with several queues an advertisement
 *             comes to one worker, which tells the others
 * outputs     out: frames, solicitations and advertisements
 *             unreachable (may be left unconnected: such packets are dropped): packets whose next
 *             hop there is not or does not answer, as they came, for IcmpError
 *             rest (may be left unconnected: such packets are dropped): of messages, what is no
 *             advertisement and no solicitation for its own addresses
 * parameters  mac: its own, such as 02:00:5e:10:00:01
 *             addresses: its own, with the prefixes of the link; the first is the source of
 *             solicitations: fe80::5eff:fe10:1/64, 2001:db8::1/64. The link always has fe80::/10
 *             router: fe80::1; "" where there is none
 *             limits: see NeighborLimits; without it 1024 neighbors, 64 unresolved, 16 packets
 *             held for each, 100 queries a second
 * drops       not_ipv6, tagged; truncated_ip and others of CheckIpv6: the headers
 *             no_route: neither on the link nor a router, or to an address that is no host's, or
 *             its own
 *             neighbour_full: the oldest of too many packets for a neighbor that was asked for
 *             unresolved_full: for a new neighbor while too many are asked for, none of which has
 *             had a tenth of a second to answer
 *             unresolved: of unreachable
 *             consumed: messages, read; not_used: of rest; no_buffer: for an advertisement
 *             malformed: messages against RFC 4861, sections 7.1.1 and 7.1.2; bad_checksum
 * reads       count: neighbors whose address is known; unresolved: that are asked for
 *             table: one in a line. Reading it stops the worker: 10 ms for a hundred thousand
 *             queries; queries_delayed: by their rate; unanswered: neighbors that did not answer;
 *             displaced: that gave way for others before the end of their time; forgotten: that
 *             were known; replies; conflicts: advertisements of its addresses
 * writes      add: an address for good, as in 2001:db8::7 02:00:00:00:00:07
 *             clear: 2001:db8::7, or all
 * example     Node kind = g.add("kind", Classifier.of(
 *                 "asked 12/86dd 20/3a 54/87", "told 12/86dd 20/3a 54/88", "rest -"));
 *             g.chain(kind.out("asked"), nd.in("messages"));
 *             g.chain(kind.out("told"), nd.in("messages"))
 * </pre>
 */
public record NeighborDiscovery(
    String mac, List<String> addresses, String router, NeighborLimits limits) implements Element {
  public NeighborDiscovery {
    addresses = List.copyOf(addresses);
  }

  public static NeighborDiscovery of(String mac, String router, String... addresses) {
    return new NeighborDiscovery(mac, List.of(addresses), router, NeighborLimits.USUAL);
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .alternativeInput("in")
        .alternativeInput("via")
        .output("out")
        .optionalInput("messages")
        .optionalOutput("unreachable")
        .optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    Parameters parameters =
        Parameters.check()
            .parses("mac", mac, NeighborProtocol::parseMac)
            .require(
                !addresses.isEmpty(),
                "no address: addresses=; write one with its prefix, such as 2001:db8::1/64");
    addresses.forEach(text -> parameters.parses("addresses", text, Ipv6Network::parse));
    parameters.parsesIfAny("router", router, Ipv6Address::parse);
    return limits.check(parameters).problems();
  }

  @Override
  public void open(Wiring wiring) {
    NeighborHost host = new NeighborHost(this, wiring);
    wiring.input("in", host::onPackets);
    wiring.input("via", host::onRouted);
    wiring.input("messages", host::onMessages);
    wiring.count("replies", host::replies);
    wiring.count("conflicts", host::conflicts);
  }
}
