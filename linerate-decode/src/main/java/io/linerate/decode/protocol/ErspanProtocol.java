package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a switch mirrors to a port behind a network, in GRE. Type I, which has no sequence number,
 * has no header; type II has 8 bytes, and type III 12, or 20 with what the platform adds.
 */
public final class ErspanProtocol implements Protocol {
  public static final Fields ERSPAN =
      Fields.of(
          "erspan",
          "Encapsulated Remote Switch Packet ANalysis",
          "draft-foschiano-erspan-03, section 4");
  private static final Parts VERSION =
      ERSPAN
          .parts(16)
          .part("erspan.version", 4, DECIMAL, "Version")
          .part("erspan.vlan", 12, DECIMAL, "VLAN");
  private static final Parts SESSION_2 =
      ERSPAN
          .parts(16)
          .part("erspan.cos", 3, DECIMAL, "Class of service")
          .part("erspan.encap", 2, DECIMAL, "Encapsulation")
          .part("erspan.truncated", 1, DECIMAL, "Truncated")
          .part("erspan.spanid", 10, DECIMAL, "Session");
  private static final Parts INDEX =
      ERSPAN
          .parts(32)
          .part("erspan.reserved", 12, DECIMAL, "Reserved")
          .part("erspan.index", 20, DECIMAL, "Port index");
  private static final Parts SESSION_3 =
      ERSPAN
          .parts(16)
          .part("erspan.cos", 3, DECIMAL, "Class of service")
          .part("erspan.bso", 2, DECIMAL, "Bad, short or oversized")
          .part("erspan.truncated", 1, DECIMAL, "Truncated")
          .part("erspan.spanid", 10, DECIMAL, "Session");
  public static final Field TIMESTAMP =
      ERSPAN.floating("erspan.timestamp", 32, DECIMAL, "Timestamp");
  public static final Field GROUP =
      ERSPAN.floating("erspan.sgt", 16, DECIMAL, "Security group tag");
  private static final Parts FLAGS =
      ERSPAN
          .parts(16)
          .part("erspan.p", 1, DECIMAL, "Frame of Ethernet")
          .part("erspan.ft", 5, DECIMAL, "Type of the frame")
          .part("erspan.hw", 6, DECIMAL, "Engine")
          .part("erspan.direction", 1, FLAG, "Sent")
          .part("erspan.gra", 2, DECIMAL, "Granularity of the timestamp")
          .part("erspan.o", 1, DECIMAL, "More of the platform follows");
  public static final Field PLATFORM =
      ERSPAN.floating("erspan.platform", 64, DECIMAL, "Of the platform");

  private static final int TYPE_2 = 0x88BE;
  private static final int TYPE_3 = 0x22EB;
  private static final int VERSION_3 = 2;
  private static final int BYTES_2 = 8;
  private static final int BYTES_3 = 12;
  private static final int PLATFORM_BYTES = 8;

  @Override
  public Fields fields() {
    return ERSPAN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(GreProtocol.TYPES.key(TYPE_2), GreProtocol.TYPES.key(TYPE_3));
  }

  @Override
  public void scan(Scan scan) {
    if (isPlain(scan.outer())) {
      scan.header(0);
    } else if (scan.u8(0) >>> 4 == VERSION_3) {
      boolean hasPlatform = (scan.u8(BYTES_3 - 1) & 1) != 0;
      scan.header(hasPlatform ? BYTES_3 + PLATFORM_BYTES : BYTES_3);
    } else {
      scan.header(BYTES_2);
    }
    scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
  }

  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private static boolean isPlain(@Nullable Layer outer) {
    return outer != null
        && outer.protocol().fields() == GreProtocol.GRE
        && outer.value(GreProtocol.HAS_SEQUENCE) == 0
        && outer.value(GreProtocol.TYPE) == TYPE_2;
  }

  @Override
  public void dissect(Dissection dissection) {
    if (dissection.left() == 0) {
      return;
    }
    boolean isVersion3 = dissection.u8(0) >>> 4 == VERSION_3;
    dissection.add(VERSION);
    if (!isVersion3) {
      dissection.add(SESSION_2);
      dissection.add(INDEX);
      return;
    }
    dissection.add(SESSION_3);
    dissection.add(TIMESTAMP);
    dissection.add(GROUP);
    dissection.add(FLAGS);
    if (dissection.left() > 0) {
      dissection.add(PLATFORM);
    }
  }
}
