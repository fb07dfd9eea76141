package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.wire.EtherType;
import java.util.List;

/** Generic network virtualization encapsulation: a network, options, and any ether type, in UDP. */
public final class GeneveProtocol implements Protocol {
  public static final Fields GENEVE =
      Fields.of("geneve", "Generic Network Virtualization Encapsulation", "RFC 8926, section 3.4");
  public static final Field VERSION = GENEVE.field("geneve.version", 2, DECIMAL, "Version");
  public static final Field OPTIONS_LENGTH =
      GENEVE.scaled("geneve.option.length", 6, 4, DECIMAL, "Length of the options");
  public static final Field FLAGS = GENEVE.field("geneve.flags", 8, HEX, "Flags");
  public static final Field CONTROL = GENEVE.part("geneve.flags.oam", 8, 1, 8, FLAG, "Control");
  public static final Field CRITICAL =
      GENEVE.part("geneve.flags.critical", 9, 1, 8, FLAG, "Critical options present");
  public static final Field RESERVED_FLAGS =
      GENEVE.part("geneve.flags.reserved", 10, 6, 8, FLAG, "Reserved flags");
  public static final Field TYPE =
      GENEVE.field("geneve.proto_type", 16, HEX, "Protocol", NumberNames.ETHER_TYPES);
  public static final Field NETWORK = GENEVE.field("geneve.vni", 24, HEX, "Network identifier");
  public static final Field RESERVED = GENEVE.field("geneve.reserved", 8, HEX, "Reserved");
  public static final Field OPTIONS =
      GENEVE.source("RFC 8926, section 3.5").floating("geneve.options", 0, BYTES, "Options");
  public static final Field OPTION = GENEVE.floating("geneve.option", 0, BYTES, "Option");
  public static final Field CLASS =
      GENEVE.floating("geneve.option.class", 16, HEX, "Class of the option");
  public static final Field OPTION_TYPE =
      GENEVE.floating("geneve.option.type", 8, HEX, "Type of the option");
  public static final Field OPTION_CRITICAL =
      GENEVE.floating("geneve.option.type.critical", 8, FLAG, "Option is critical");
  public static final Field OPTION_FLAGS =
      GENEVE.floating("geneve.option.flags", 8, HEX, "Flags of the option");
  public static final Field OPTION_RESERVED =
      GENEVE.floating("geneve.option.flags.reserved", 8, FLAG, "Reserved flags of the option");
  public static final Field OPTION_LENGTH =
      GENEVE.floating("geneve.option.length", 8, DECIMAL, "Length of the option");
  public static final Field DATA =
      GENEVE.floating("geneve.option.unknown.data", 0, BYTES, "Data of the option");

  private static final int PORT = 6081;
  private static final int HEADER_BYTES = 8;
  private static final int OPTION_HEADER_BYTES = 4;

  static {
    GENEVE.summary(NETWORK, TYPE);
  }

  @Override
  public Fields fields() {
    return GENEVE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.UDP_PORT.key(PORT));
  }

  @Override
  public void scan(Scan scan) {
    int type = scan.number(TYPE);
    scan.header(HEADER_BYTES + scan.number(OPTIONS_LENGTH));
    if (type >= EtherType.MIN) {
      scan.next(DispatchTable.ETHER_TYPE, type);
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.left() == 0) {
      return;
    }
    dissection.open(OPTIONS, dissection.left());
    while (dissection.left() >= OPTION_HEADER_BYTES) {
      option(dissection);
    }
    dissection.close();
  }

  private static void option(Dissection dissection) {
    int type = dissection.u8(2);
    int last = dissection.u8(3);
    int length = OPTION_HEADER_BYTES + 4 * (last & 0x1F);
    dissection.open(OPTION, length);
    dissection.add(CLASS);
    dissection.add(OPTION_TYPE);
    dissection.value(OPTION_CRITICAL, type >>> 7, -1, 1);
    dissection.value(OPTION_FLAGS, last >>> 5, 0, 1);
    dissection.value(OPTION_RESERVED, last >>> 5, 0, 1);
    dissection.value(OPTION_LENGTH, length, 0, 1);
    dissection.skip(1);
    dissection.add(DATA, length - OPTION_HEADER_BYTES);
    dissection.close();
  }
}
