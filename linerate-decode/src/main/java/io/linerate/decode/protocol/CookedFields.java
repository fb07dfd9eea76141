package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.MAC;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;

/** What both versions of Linux' cooked header have: an address of 8 bytes, and a protocol. */
final class CookedFields {
  static final ValueNames PACKET_TYPES =
      ValueNames.from0(
          "Unicast to us", "Broadcast", "Multicast", "Unicast to another", "Sent by us");

  private static final int ADDRESS_BYTES = 8;
  private static final int MAC_BYTES = 6;
  private static final int IP_BYTES = 4;

  // if_arp.h of Linux.
  private static final int FRAME_RELAY = 770;
  private static final int GRE = 778;
  private static final int RADIOTAP = 803;
  private static final int NETLINK = 824;

  private final Field mac;
  private final Field ip;
  private final Field other;
  private final Field unused;
  private final Field linuxType;
  private final Field greType;
  private final Field etherType;

  CookedFields(Fields owner) {
    mac = owner.floating("sll.src.eth", 48, MAC, "Source");
    ip = owner.floating("sll.src.ipv4", 32, IPV4, "Source");
    other = owner.floating("sll.src.other", 0, BYTES, "Source");
    unused = owner.floating("sll.unused", 0, BYTES, "Unused");
    linuxType = owner.floating("sll.ltype", 16, HEX, "Protocol of Linux");
    greType = owner.floating("sll.gretype", 16, HEX, "Protocol of GRE");
    etherType = owner.floating("sll.etype", 16, HEX, "Protocol", NumberNames.ETHER_TYPES);
  }

  static void next(Scan scan, int hardwareType, int protocol) {
    switch (hardwareType) {
      case RADIOTAP -> scan.next(DispatchTable.LINK_TYPE, LinkType.IEEE802_11_RADIOTAP.number());
      case FRAME_RELAY, NETLINK -> {}
      default -> scan.next(DispatchTable.ETHER_TYPE, protocol);
    }
  }

  void address(Dissection dissection, int bytes) {
    int count = Math.min(bytes, ADDRESS_BYTES);
    if (count > 0) {
      dissection.add(count == MAC_BYTES ? mac : count == IP_BYTES ? ip : other, count);
    }
    if (count < ADDRESS_BYTES) {
      dissection.add(unused, ADDRESS_BYTES - count);
    }
  }

  void protocol(Dissection dissection, int hardwareType) {
    int protocol = dissection.u16(0);
    dissection.add(
        hardwareType == GRE ? greType : protocol < EtherType.MIN ? linuxType : etherType);
  }
}
