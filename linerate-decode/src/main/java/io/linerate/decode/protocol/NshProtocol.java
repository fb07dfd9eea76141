package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import java.util.List;

/** Which path of service functions a packet is on, how far it is, and metadata. */
public final class NshProtocol implements Protocol {
  static final int ETHER_TYPE = 0x894F;

  public static final Fields NSH =
      Fields.of("nsh", "Network Service Header", "RFC 8300, section 2");
  public static final Field VERSION = NSH.field("nsh.version", 2, DECIMAL, "Version");
  public static final Field MAINTENANCE = NSH.field("nsh.Obit", 1, DECIMAL, "Maintenance");
  public static final Field CRITICAL = NSH.field("nsh.CBit", 1, DECIMAL, "Critical metadata");
  public static final Field TTL = NSH.part("nsh.ttl", 4, 6, 16, HEX, "Time to live");
  public static final Field LENGTH =
      NSH.part("nsh.length", 10, 6, 16, DECIMAL, "Length in units of 4 bytes");
  public static final Field METADATA_TYPE =
      NSH.at(2).field("nsh.mdtype", 8, DECIMAL, "Type of the metadata");
  public static final Field NEXT =
      NSH.field(
          "nsh.nextproto",
          8,
          DECIMAL,
          "Next protocol",
          ValueNames.from0("", "IPv4", "IPv6", "Ethernet", "Network Service Header", "MPLS"));
  public static final Field PATH = NSH.field("nsh.spi", 24, DECIMAL, "Service path");
  public static final Field INDEX = NSH.field("nsh.si", 8, DECIMAL, "Service index");
  public static final Field CONTEXT =
      NSH.source("RFC 8300, section 2.4").floating("nsh.contextheader", 32, BYTES, "Context");
  public static final Field CLASS =
      NSH.source("RFC 8300, section 2.5.1")
          .floating("nsh.metadataclass", 16, DECIMAL, "Class of the metadata");
  public static final Field TYPE =
      NSH.floating("nsh.metadatatype", 8, DECIMAL, "Type in the class");
  private static final Parts METADATA_LENGTH =
      NSH.parts(8)
          .part("nsh.metadataunassignedbit", 1, HEX, "Unassigned")
          .part("nsh.metadatalen", 7, HEX, "Length of the metadata");
  public static final Field METADATA = NSH.floating("nsh.metadata", 0, BYTES, "Metadata");

  private static final int HEADER_BYTES = 8;
  private static final int METADATA_HEADER_BYTES = 4;
  private static final int FIXED = 1;
  private static final int CONTEXTS = 4;

  static {
    NSH.summary(PATH, INDEX);
  }

  @Override
  public Fields fields() {
    return NSH;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(ETHER_TYPE));
  }

  @Override
  public void scan(Scan scan) {
    int length = 4 * scan.number(LENGTH);
    int next = scan.number(NEXT);
    if (length < HEADER_BYTES) {
      scan.malformed();
    }
    scan.header(Math.max(length, HEADER_BYTES));
    VxlanGpeProtocol.next(scan, next);
  }

  @Override
  public void dissect(Dissection dissection) {
    int metadataType = dissection.u8(2);
    dissection.fixed();
    if (metadataType == FIXED) {
      for (int i = 0; i < CONTEXTS && dissection.left() > 0; i++) {
        dissection.add(CONTEXT);
      }
      return;
    }
    while (dissection.left() >= METADATA_HEADER_BYTES) {
      dissection.add(CLASS);
      dissection.add(TYPE);
      int length = dissection.u8(0) & 0x7F;
      dissection.add(METADATA_LENGTH);
      if (length > 0) {
        dissection.add(METADATA, length);
        dissection.skip(-length & 3);
      }
    }
  }
}
