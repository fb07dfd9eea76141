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
import io.linerate.decode.ValueNames;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.Map;

/** The Host Identity Protocol: a header, and parameters of type, length and value. */
public final class HipProtocol implements Protocol {
  public static final Fields HIP =
      Fields.of("hip", "Host Identity Protocol", "RFC 7401, section 5.1");
  public static final Field NEXT_HEADER =
      HIP.field("hip.proto", 8, DECIMAL, "Next header", NumberNames.IP_PROTOCOLS);
  public static final Field LENGTH =
      HIP.field("hip.hdr_len", 8, DECIMAL, "Length in units of 8 bytes, less 1");
  public static final Field SHIM6_TYPE = HIP.field("hip.shim6_fixed_p", 1, DECIMAL, "Zero");
  public static final Field TYPE =
      HIP.field(
          "hip.packet_type",
          7,
          DECIMAL,
          "Packet",
          ValueNames.of(
              Map.of(
                  1,
                  "I1",
                  2,
                  "R1",
                  3,
                  "I2",
                  4,
                  "R2",
                  16,
                  "Update",
                  17,
                  "Notify",
                  18,
                  "Close",
                  19,
                  "Close acknowledgment")));
  public static final Field VERSION = HIP.field("hip.version", 4, DECIMAL, "Version");
  public static final Field RESERVED = HIP.field("hip.reserved", 3, DECIMAL, "Reserved");
  public static final Field SHIM6_PROTOCOL = HIP.field("hip.shim6_fixed_s", 1, DECIMAL, "One");
  public static final Field CHECKSUM = HIP.field("hip.checksum", 16, HEX, "Checksum");
  public static final Field CONTROLS = HIP.field("hip.controls", 16, HEX, "Controls");
  public static final Field ANONYMOUS = HIP.part("hip.controls.a", 63, 1, 16, FLAG, "Anonymous");
  public static final Field SENDER = HIP.at(8).field("hip.hit_sndr", 128, BYTES, "Sender's tag");
  public static final Field RECEIVER = HIP.field("hip.hit_rcvr", 128, BYTES, "Receiver's tag");
  private static final Field PARAMETER =
      HIP.source("RFC 7401, section 5.2.1").floating("hip.type", 16, DECIMAL, "Parameter");
  private static final Field PARAMETER_LENGTH =
      HIP.floating("hip.parameter.length", 16, DECIMAL, "Parameter length");
  private static final Field PARAMETER_DATA =
      HIP.floating("hip.parameter.data", 0, BYTES, "Parameter data");

  static {
    HIP.summary(TYPE);
  }

  @Override
  public Fields fields() {
    return HIP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.IP_PROTOCOL.key(IpProtocol.HIP));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(8 + 8 * scan.number(LENGTH));
    scan.next(DispatchTable.IP_PROTOCOL, scan.number(NEXT_HEADER));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    while (dissection.left() > 0) {
      dissection.add(PARAMETER);
      int length = (int) dissection.add(PARAMETER_LENGTH);
      int before = dissection.enter(length);
      dissection.addLeft(PARAMETER_DATA);
      dissection.leave(before);
      // RFC 7401, section 5.2.1: all of it is a multiple of 8 bytes.
      dissection.skip(Math.min(-(length + 4) & 7, dissection.left()));
    }
  }
}
