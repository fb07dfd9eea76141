package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.MacAddress;
import java.util.List;

/**
 * Answers ARP requests for IPv4 addresses, RFC 826, behind up to two VLAN tags: the request becomes
 * the reply, in its buffer. Probes of RFC 5227 for its addresses are answered too: they are taken.
 *
 * <pre>
 * inputs      in
 * outputs     out: replies
 *             rest (may be left unconnected: such packets are dropped): everything else, as it came
 * parameters  mac: in the replies, such as 02:00:5e:10:00:01
 *             addresses: IPv4, each alone or with the length of a prefix: 192.0.2.1, 198.51.100.0/24
 * drops       not_answered: of rest
 *             malformed: announced as ARP, but no whole message of IPv4 over Ethernet, or its
 *             sender has a group address
 * reads       replies
 * example     g.add("arp", ArpResponder.of("02:00:5e:10:00:01", "192.0.2.1"))
 * </pre>
 */
public record ArpResponder(String mac, List<String> addresses) implements Element {
  public static final DropReason NOT_ANSWERED = DropReason.named("not_answered");

  public ArpResponder {
    addresses = List.copyOf(addresses);
  }

  public static ArpResponder of(String mac, String... addresses) {
    return new ArpResponder(mac, List.of(addresses));
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    Parameters parameters = Parameters.check().parses("mac", mac, MacAddress::parse);
    parameters.require(
        !addresses.isEmpty(), "no address: addresses=; write one, such as 192.0.2.1");
    addresses.forEach(text -> parameters.parses("addresses", text, Ipv4Network::parseAny));
    return parameters.problems();
  }

  @Override
  public void open(Wiring wiring) {
    Responder responder = new Responder(this, wiring);
    wiring.input("in", responder);
    wiring.count("replies", () -> responder.replies);
  }

  /** On one worker. */
  private static final class Responder implements BurstHandler {
    private final long mac;
    private final Ipv4Network[] networks;
    private final Outlet out;
    private final Outlet rest;
    private final HeaderScanner scanner = new HeaderScanner();
    private final Ethernet ethernet = new Ethernet();
    private final Arp arp = new Arp();
    private long replies;

    Responder(ArpResponder responder, Wiring wiring) {
      mac = MacAddress.parse(responder.mac);
      networks =
          responder.addresses.stream().map(Ipv4Network::parseAny).toArray(Ipv4Network[]::new);
      out = wiring.output("out");
      rest = wiring.output("rest");
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        scanner.scan(packet);
        if (scanner.etherType() != EtherType.ARP) {
          rest.send(packet, NOT_ANSWERED);
        } else if (!isSound(packet)) {
          packet.drop(DropReason.MALFORMED);
        } else if (arp.operation() == Arp.REQUEST && isOurs(arp.targetProtocolAddress())) {
          reply(packet);
        } else {
          rest.send(packet, NOT_ANSWERED);
        }
      }
    }

    private boolean isSound(Packet packet) {
      int at = scanner.l3Offset();
      return Arp.fits(packet, at)
          && !MacAddress.isMulticast(arp.wrap(packet, at).senderHardwareAddress());
    }

    private boolean isOurs(int address) {
      for (Ipv4Network network : networks) {
        if (network.contains(address)) {
          return true;
        }
      }
      return false;
    }

    private void reply(Packet packet) {
      long asker = arp.senderHardwareAddress();
      int askerAddress = arp.senderProtocolAddress();
      int address = arp.targetProtocolAddress();
      ethernet.wrap(packet, 0).destination(asker).source(mac);
      arp.operation(Arp.REPLY)
          .senderHardwareAddress(mac)
          .senderProtocolAddress(address)
          .targetHardwareAddress(asker)
          .targetProtocolAddress(askerAddress);
      replies++;
      out.send(packet);
    }
  }
}
