package io.linerate.decode.protocol;

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
import java.util.List;

/**
 * Ethernet II and IEEE 802.3: behind the addresses there is an ether type, or, if it is below 1536,
 * the length of what follows, which begins with an LLC header.
 */
public final class EthernetProtocol implements Protocol {
  public static final Fields ETHERNET = Fields.of("eth", "Ethernet", "IEEE 802.3, clause 3.2");
  public static final Field DESTINATION = ETHERNET.field("eth.dst", 48, MAC, "Destination");
  public static final Field SOURCE = ETHERNET.field("eth.src", 48, MAC, "Source");
  public static final Field TYPE = ETHERNET.floating("eth.type", 16, HEX, "Type");
  public static final Field LENGTH = ETHERNET.floating("eth.len", 16, DECIMAL, "Length");
  public static final Field LOCAL = ETHERNET.floating("eth.lg", 24, FLAG, "Locally administered");
  public static final Field GROUP = ETHERNET.floating("eth.ig", 24, FLAG, "Group address");

  private static final int TYPE_OFFSET = 12;

  static {
    ETHERNET.alias("eth.addr", DESTINATION, SOURCE);
    ETHERNET.addresses(SOURCE, DESTINATION);
    ETHERNET.summary(TYPE, LENGTH);
  }

  @Override
  public Fields fields() {
    return ETHERNET;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.ETHERNET.number()));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.u16(TYPE_OFFSET);
    scan.header(Ethernet.HEADER_BYTES);
    if (type >= EtherType.MIN) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    } else {
      scan.total(Ethernet.HEADER_BYTES + type);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed(DESTINATION);
    group(dissection);
    dissection.fixed(SOURCE);
    group(dissection);
    int type = dissection.u16(0);
    dissection.add(type >= EtherType.MIN ? TYPE : LENGTH);
  }

  private static void group(Dissection dissection) {
    if (dissection.offset() >= 6 && dissection.isSound()) {
      int first =
          dissection.layer().bytes().u8(dissection.layer().offset() + dissection.offset() - 6);
      dissection.value(LOCAL, (first >>> 1) & 1, -6, 3);
      dissection.value(GROUP, first & 1, -6, 3);
    }
  }

  @Override
  public void complete(LayerBuilder layer) {
    if (!layer.isSet(TYPE) && !layer.isSet(LENGTH)) {
      long type = layer.next(DispatchTable.ETHER_TYPE);
      layer.complete(TYPE, type < 0 ? layer.totalLength() - layer.length() : type);
    }
  }
}
