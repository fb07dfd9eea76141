package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;

/** Makes requests of ARP: RFC 826. */
final class ArpRequests {
  /** The shortest frame of IEEE 802.3, without its check sequence. */
  private static final int BYTES = 60;

  private final Outlet out;
  private final long ownMac;
  private final Ethernet ethernet = new Ethernet();
  private final Arp arp = new Arp();
  private final byte[] blank = new byte[BYTES];

  ArpRequests(Outlet out, long ownMac) {
    this.out = out;
    this.ownMac = ownMac;
  }

  /**
   * Sends one.
   *
   * @param own who asks
   * @param address for which is asked; the own one: it is announced, RFC 5227, section 2.3
   * @param mac where the frame goes
   * @return whether there was a buffer for it
   */
  boolean send(int own, int address, long mac) {
    Packet packet = out.create(BYTES);
    if (packet == null) {
      return false;
    }
    packet.set(0, blank, 0, BYTES);
    ethernet.wrap(packet, 0).destination(mac).source(ownMac).etherType(EtherType.ARP);
    arp.wrap(packet, Ethernet.HEADER_BYTES)
        .ethernetIpv4()
        .operation(Arp.REQUEST)
        .senderHardwareAddress(ownMac)
        .senderProtocolAddress(own)
        .targetProtocolAddress(address);
    return true;
  }
}
