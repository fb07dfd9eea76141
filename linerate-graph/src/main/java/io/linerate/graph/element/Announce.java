package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.MacAddress;
import java.util.List;

/**
 * Tells the neighbors of a link which Ethernet address its own addresses have, when it begins: by
 * announcements of ARP (RFC 5227, section 2.3) and unsolicited advertisements (RFC 4861, section
 * 7.2.6), three of each, a second apart. Neighbors that know another one, as of a router that was
 * there before, would send to it until they ask again. It does not look for duplicates.
 *
 * <pre>
 * inputs      none
 * outputs     out: frames for the port
 * parameters  mac: such as 02:00:5e:10:00:01
 *             addresses: of IPv4 and IPv6: 192.0.2.1, 2001:db8::1
 * drops       none
 * reads       announced: frames
 * example     g.chain(g.add("announce", Announce.of("02:00:5e:10:00:01", "192.0.2.1")), toPort)
 * </pre>
 */
public record Announce(String mac, List<String> addresses) implements Element {
  private static final int TIMES = 3;
  private static final long PERIOD_NS = 1_000_000_000;

  public Announce {
    addresses = List.copyOf(addresses);
  }

  public static Announce of(String mac, String... addresses) {
    return new Announce(mac, List.of(addresses));
  }

  @Override
  public Shape shape() {
    return Shape.NONE.output("out");
  }

  @Override
  public List<String> problems() {
    Parameters parameters = Parameters.check().parses("mac", mac, NeighborProtocol::parseMac);
    addresses.forEach(text -> parameters.parses("addresses", text, AddressSet::requireAddress));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    Announcer announcer = new Announcer(this, wiring.output("out"));
    if (wiring.worker() == 0) {
      announcer.announce();
      wiring.every(PERIOD_NS, announcer::announce);
    }
    wiring.count("announced", () -> announcer.announced);
  }

  /** On one worker. */
  private static final class Announcer {
    private final List<String> addresses;
    private final ArpRequests requests;
    private final NeighborMessages messages;
    private int times;
    private long announced;

    Announcer(Announce announce, Outlet out) {
      long mac = MacAddress.parse(announce.mac);
      addresses = announce.addresses;
      requests = new ArpRequests(out, mac);
      messages = new NeighborMessages(out, mac);
    }

    void announce() {
      if (times++ < TIMES) {
        for (String address : addresses) {
          announced += announce(address) ? 1 : 0;
        }
      }
    }

    private boolean announce(String text) {
      if (AddressSet.isIpv6(text)) {
        Ipv6Address address = Ipv6Address.parse(text);
        return messages.announce(address.high(), address.low());
      }
      int address = Ipv4Address.parse(text);
      return requests.send(address, address, MacAddress.BROADCAST);
    }
  }
}
