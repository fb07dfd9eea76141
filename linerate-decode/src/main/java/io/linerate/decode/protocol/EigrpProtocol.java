package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.Map;

/** EIGRP: a header, and items of type, length and value. */
public final class EigrpProtocol implements Protocol {
  public static final Fields EIGRP =
      Fields.of("eigrp", "Enhanced Interior Gateway Routing Protocol", "RFC 7868, section 6.2");
  public static final Field VERSION = EIGRP.field("eigrp.version", 8, DECIMAL, "Version");
  public static final Field OPERATION =
      EIGRP.field(
          "eigrp.opcode",
          8,
          DECIMAL,
          "Operation",
          ValueNames.of(
              Map.of(
                  1,
                  "Update",
                  2,
                  "Request",
                  3,
                  "Query",
                  4,
                  "Reply",
                  5,
                  "Hello",
                  10,
                  "SIA query",
                  11,
                  "SIA reply")));
  public static final Field CHECKSUM = EIGRP.field("eigrp.checksum", 16, HEX, "Checksum");
  public static final Field FLAGS = EIGRP.field("eigrp.flags", 32, HEX, "Flags");
  public static final Field INIT = EIGRP.part("eigrp.flags.init", 63, 1, 32, FLAG, "Init");
  public static final Field CONDITIONAL =
      EIGRP.part("eigrp.flags.condrecv", 62, 1, 32, FLAG, "Conditional receive");
  public static final Field RESTART = EIGRP.part("eigrp.flags.restart", 61, 1, 32, FLAG, "Restart");
  public static final Field END =
      EIGRP.part("eigrp.flags.eot", 60, 1, 32, FLAG, "End of the table");
  public static final Field SEQUENCE =
      EIGRP.at(8).field("eigrp.seq", 32, DECIMAL, "Sequence number");
  public static final Field ACKNOWLEDGMENT =
      EIGRP.field("eigrp.ack", 32, DECIMAL, "Acknowledgment number");
  public static final Field ROUTER = EIGRP.field("eigrp.vrid", 16, DECIMAL, "Virtual router");
  public static final Field SYSTEM = EIGRP.field("eigrp.as", 16, DECIMAL, "System");

  private static final Field TYPE =
      EIGRP.source("RFC 7868, section 6.3").floating("eigrp.tlv_type", 16, HEX, "Item");
  private static final Field LENGTH = EIGRP.floating("eigrp.tlv.len", 16, DECIMAL, "Item length");
  private static final Field K1 = EIGRP.floating("eigrp.par.k1", 8, DECIMAL, "K1");
  private static final Field K2 = EIGRP.floating("eigrp.par.k2", 8, DECIMAL, "K2");
  private static final Field K3 = EIGRP.floating("eigrp.par.k3", 8, DECIMAL, "K3");
  private static final Field K4 = EIGRP.floating("eigrp.par.k4", 8, DECIMAL, "K4");
  private static final Field K5 = EIGRP.floating("eigrp.par.k5", 8, DECIMAL, "K5");
  private static final Field K6 = EIGRP.floating("eigrp.par.k6", 8, DECIMAL, "K6");
  private static final Field HOLD_TIME =
      EIGRP.floating("eigrp.par.holdtime", 16, DECIMAL, "Hold time in seconds");
  private static final Field NEXT_HOP =
      EIGRP.source("RFC 7868, section 6.7").floating("eigrp.ipv4.nexthop", 32, IPV4, "Next hop");
  private static final Field DELAY =
      EIGRP.floating("eigrp.old_metric.delay", 32, DECIMAL, "Scaled delay");
  private static final Field BANDWIDTH =
      EIGRP.floating("eigrp.old_metric.bw", 32, DECIMAL, "Scaled bandwidth");
  private static final Field MTU = EIGRP.floating("eigrp.old_metric.mtu", 24, DECIMAL, "MTU");
  private static final Field HOPS = EIGRP.floating("eigrp.old_metric.hopcount", 8, DECIMAL, "Hops");
  private static final Field RELIABILITY =
      EIGRP.floating("eigrp.old_metric.rel", 8, DECIMAL, "Reliability");
  private static final Field LOAD = EIGRP.floating("eigrp.old_metric.load", 8, DECIMAL, "Load");
  private static final Field TAG =
      EIGRP.floating("eigrp.old_metric.intag", 8, DECIMAL, "Route tag");
  private static final Field PREFIX_LENGTH =
      EIGRP.floating("eigrp.ipv4.prefixlen", 8, DECIMAL, "Prefix length");
  private static final Field DESTINATION =
      EIGRP.floating("eigrp.ipv4.destination", 32, IPV4, "Destination");
  private static final Field DATA = EIGRP.floating("eigrp.tlv.data", 0, BYTES, "Item value");

  private static final int PARAMETERS = 0x0001;
  private static final int IPV4_INTERNAL = 0x0102;
  private static final int HEADER_BYTES = 4;

  static {
    EIGRP.summary(OPERATION, SYSTEM);
  }

  @Override
  public Fields fields() {
    return EIGRP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.EIGRP));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length - HEADER_BYTES);
      item(dissection, type);
      dissection.leave(before);
    }
  }

  private static void item(Dissection dissection, int type) {
    switch (type) {
      case PARAMETERS -> {
        dissection.add(K1);
        dissection.add(K2);
        dissection.add(K3);
        dissection.add(K4);
        dissection.add(K5);
        dissection.add(K6);
        dissection.add(HOLD_TIME);
      }
      case IPV4_INTERNAL -> {
        dissection.add(NEXT_HOP);
        dissection.add(DELAY);
        dissection.add(BANDWIDTH);
        dissection.add(MTU);
        dissection.add(HOPS);
        dissection.add(RELIABILITY);
        dissection.add(LOAD);
        dissection.add(TAG);
        dissection.skip(1);
        destinations(dissection);
      }
      default -> dissection.addLeft(DATA);
    }
  }

  private static void destinations(Dissection dissection) {
    while (dissection.left() > 0) {
      int bytes = ((int) dissection.add(PREFIX_LENGTH) + 7) / 8;
      if (bytes > 4 || !dissection.has(bytes)) {
        dissection.malformed();
        return;
      }
      long address = 0;
      for (int i = 0; i < bytes; i++) {
        address |= (long) dissection.u8(i) << (24 - 8 * i);
      }
      dissection.value(DESTINATION, address, 0, bytes);
      dissection.skip(bytes);
    }
  }
}
