package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.MAC;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.LayerBuilder;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.IpProtocol;
import java.util.List;

/**
 * Ethernet II and IEEE 802.3: behind the addresses there is an ether type, or, if it is at most
 * 1500, the length of what follows, which begins with an LLC header.
 */
public final class EthernetProtocol implements Protocol {
  public static final Fields ETHERNET = Fields.of("eth", "Ethernet", "IEEE 802.3, clause 3.2");
  public static final Field DESTINATION = ETHERNET.field("eth.dst", 48, MAC, "Destination");
  public static final Field DESTINATION_OUI =
      ETHERNET.part("eth.dst.oui", 0, 24, 24, DECIMAL, "Organisation of the destination");
  public static final Field DESTINATION_LOCAL =
      ETHERNET.part("eth.dst.lg", 6, 1, 24, FLAG, "Destination is locally administered");
  public static final Field DESTINATION_GROUP =
      ETHERNET.part("eth.dst.ig", 7, 1, 24, FLAG, "Destination is a group");
  public static final Field SOURCE = ETHERNET.field("eth.src", 48, MAC, "Source");
  public static final Field SOURCE_OUI =
      ETHERNET.part("eth.src.oui", 48, 24, 24, DECIMAL, "Organisation of the source");
  public static final Field SOURCE_LOCAL =
      ETHERNET.part("eth.src.lg", 54, 1, 24, FLAG, "Source is locally administered");
  public static final Field SOURCE_GROUP =
      ETHERNET.part("eth.src.ig", 55, 1, 24, FLAG, "Source is a group");
  public static final Field TYPE =
      ETHERNET.floating("eth.type", 16, HEX, "Type", NumberNames.ETHER_TYPES);
  public static final Field LENGTH = ETHERNET.floating("eth.len", 16, DECIMAL, "Length");
  public static final Field INVALID =
      ETHERNET.floating("eth.invalid_lentype", 16, HEX, "Neither type nor length");
  public static final Field PADDING = ETHERNET.floating("eth.padding", 0, BYTES, "Padding");
  public static final Field TRAILER = ETHERNET.floating("eth.trailer", 0, BYTES, "Trailer");
  public static final Field FCS = ETHERNET.floating("eth.fcs", 32, HEX, "Frame check sequence");

  /** What Ethernet's DispatchTable.ETHER_TYPE has for transparent bridging. */
  static final int BRIDGING = 0x6558;

  /** What is more is no length, and below {@link EtherType#MIN} no type. */
  static final int MAX_LENGTH = 1500;

  private static final int TYPE_OFFSET = 12;

  static {
    ETHERNET.alias("eth.addr", DESTINATION, SOURCE);
    ETHERNET.addresses(SOURCE, DESTINATION);
    ETHERNET.summary(TYPE, LENGTH);
    ETHERNET.alias("eth.addr.oui", DESTINATION_OUI, SOURCE_OUI);
    ETHERNET.alias("eth.lg", DESTINATION_LOCAL, SOURCE_LOCAL);
    ETHERNET.alias("eth.ig", DESTINATION_GROUP, SOURCE_GROUP);
  }

  @Override
  public Fields fields() {
    return ETHERNET;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(LinkType.ETHERNET.number()),
        DispatchTable.ETHER_TYPE.key(BRIDGING),
        DispatchTable.IP_PROTOCOL.key(IpProtocol.ETHERNET));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.u16(TYPE_OFFSET);
    scan.header(Ethernet.HEADER_BYTES);
    if (type >= EtherType.MIN) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    } else if (type <= MAX_LENGTH) {
      scan.total(Ethernet.HEADER_BYTES + type);
      if (type > scan.claimedLength() - Ethernet.HEADER_BYTES) {
        scan.malformed();
      }
      scan.next(DispatchTable.ETHER_TYPE, LlcProtocol.ETHER_TYPE);
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(TYPE) && !layer.isSet(LENGTH)) {
      long type = layer.next(DispatchTable.ETHER_TYPE);
      layer.complete(TYPE, type < 0 ? layer.totalLength() - layer.length() : type);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.wantsMore()) {
      return;
    }
    int type = dissection.u16(0);
    dissection.add(type >= EtherType.MIN ? TYPE : type <= MAX_LENGTH ? LENGTH : INVALID);
    EthernetTrailer.add(dissection, PADDING, TRAILER, FCS);
  }
}
