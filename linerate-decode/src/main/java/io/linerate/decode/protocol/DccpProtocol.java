package io.linerate.decode.protocol;

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
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;

/** DCCP: a header of which the type says what is in it, and options. */
public final class DccpProtocol implements Protocol {
  public static final Fields DCCP =
      Fields.of("dccp", "Datagram Congestion Control Protocol", "RFC 4340, section 5.1");
  public static final Field SOURCE_PORT = DCCP.field("dccp.srcport", 16, DECIMAL, "Source port");
  public static final Field DESTINATION_PORT =
      DCCP.field("dccp.dstport", 16, DECIMAL, "Destination port");
  public static final Field DATA_OFFSET =
      DCCP.field("dccp.data_offset", 8, DECIMAL, "Header length in units of 4 bytes");
  public static final Field CCVAL =
      DCCP.field("dccp.ccval", 4, DECIMAL, "Congestion control value");
  public static final Field COVERAGE = DCCP.field("dccp.cscov", 4, DECIMAL, "Checksum coverage");
  public static final Field CHECKSUM = DCCP.field("dccp.checksum", 16, HEX, "Checksum");
  public static final Field RESERVED = DCCP.field("dccp.res1", 3, HEX, "Reserved");
  public static final Field TYPE =
      DCCP.field(
          "dccp.type",
          4,
          DECIMAL,
          "Type",
          ValueNames.from0(
              "Request",
              "Response",
              "Data",
              "Ack",
              "DataAck",
              "CloseReq",
              "Close",
              "Reset",
              "Sync",
              "SyncAck"));
  public static final Field EXTENDED = DCCP.field("dccp.x", 1, FLAG, "Extended sequence numbers");

  private static final Field RESERVED_2 = DCCP.floating("dccp.res2", 8, HEX, "Reserved");
  private static final Field SEQUENCE =
      DCCP.floating("dccp.seq_raw", 0, DECIMAL, "Sequence number");
  private static final Field ACK_RESERVED = DCCP.floating("dccp.ack_res", 16, HEX, "Reserved");
  private static final Field ACKNOWLEDGMENT =
      DCCP.source("RFC 4340, section 5.3")
          .floating("dccp.ack_raw", 0, DECIMAL, "Acknowledgment number");
  private static final Field SERVICE =
      DCCP.source("RFC 4340, section 8.1.2")
          .floating("dccp.service_code", 32, DECIMAL, "Service code");
  private static final Field RESET_CODE =
      DCCP.source("RFC 4340, section 5.6").floating("dccp.reset_code", 8, DECIMAL, "Reset code");
  private static final Field DATA_1 = DCCP.floating("dccp.data1", 8, DECIMAL, "Data 1");
  private static final Field DATA_2 = DCCP.floating("dccp.data2", 8, DECIMAL, "Data 2");
  private static final Field DATA_3 = DCCP.floating("dccp.data3", 8, DECIMAL, "Data 3");

  private static final int REQUEST = 0;
  private static final int RESPONSE = 1;
  private static final int DATA = 2;
  private static final int RESET = 7;
  private static final int LONG_HEADER_BYTES = 16;
  private static final int SHORT_HEADER_BYTES = 12;

  static {
    DccpOptions.declare();
    DCCP.alias("dccp.port", SOURCE_PORT, DESTINATION_PORT);
    DCCP.summary(TYPE);
  }

  @Override
  public Fields fields() {
    return DCCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.DCCP));
  }

  @Override
  public void scan(Scan scan) {
    int headerBytes = 4 * scan.number(DATA_OFFSET);
    int least = scan.number(EXTENDED) != 0 ? LONG_HEADER_BYTES : SHORT_HEADER_BYTES;
    if (headerBytes < least) {
      scan.malformed();
      return;
    }
    scan.header(headerBytes);
    scan.nextOfPorts(
        DispatchTable.DCCP_PORT, scan.number(SOURCE_PORT), scan.number(DESTINATION_PORT));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (!dissection.layer().has(EXTENDED)) {
      return;
    }
    boolean isLong = dissection.layer().value(EXTENDED) != 0;
    int type = (int) dissection.layer().value(TYPE);
    if (isLong) {
      dissection.add(RESERVED_2);
    }
    dissection.add(SEQUENCE, isLong ? 6 : 3);
    if (type != REQUEST && type != DATA) {
      dissection.add(ACK_RESERVED, isLong ? 2 : 1);
      dissection.add(ACKNOWLEDGMENT, isLong ? 6 : 3);
    }
    if (type == REQUEST || type == RESPONSE) {
      dissection.add(SERVICE);
    }
    if (type == RESET) {
      dissection.add(RESET_CODE);
      dissection.add(DATA_1);
      dissection.add(DATA_2);
      dissection.add(DATA_3);
    }
    DccpOptions.dissect(dissection);
  }
}
