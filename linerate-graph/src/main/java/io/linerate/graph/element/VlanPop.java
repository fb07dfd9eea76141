package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.Vlan;

/**
 * Takes the outer VLAN tag off each frame: IEEE 802.1Q, clause 9. One that the device has taken off
 * ({@code vlan-strip=on}) is forgotten, so that it is not put back at transmit.
 *
 * <pre>
 * inputs      in
 * outputs     out; untagged (may be left unconnected: frames without tag are dropped)
 * drops       untagged: no tag
 *             truncated_ethernet, truncated_vlan: the frame ends within the header or the tag
 * example     g.chain(kind.out("vlan100"), g.add("untag", new VlanPop()), ...)
 * </pre>
 */
public record VlanPop() implements Element {
  public static final DropReason UNTAGGED = DropReason.named("untagged");

  private static final int ETHER_TYPE = Ethernet.HEADER_BYTES - 2;

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("untagged");
  }

  @Override
  public void open(Wiring wiring) {
    Outlet untagged = wiring.output("untagged");
    wiring.each("in", packet -> pop(packet, untagged), wiring.output("out"));
  }

  private static void pop(Packet packet, Outlet untagged) {
    if (packet.vlanTag() >= 0) {
      packet.removeVlanTag();
    } else if (packet.length() < Ethernet.HEADER_BYTES) {
      packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_ETHERNET));
    } else if (!EtherType.isVlan(packet.u16(ETHER_TYPE))) {
      untagged.send(packet, UNTAGGED);
    } else if (!Vlan.fits(packet, Ethernet.HEADER_BYTES)) {
      packet.drop(DefectReasons.of(HeaderDefect.TRUNCATED_VLAN));
    } else {
      untag(packet);
    }
  }

  private static void untag(Packet packet) {
    long addresses = packet.u64(0);
    int rest = packet.i32(Long.BYTES);
    packet.shrinkHead(Vlan.HEADER_BYTES);
    packet.u64(0, addresses);
    packet.i32(Long.BYTES, rest);
  }
}
