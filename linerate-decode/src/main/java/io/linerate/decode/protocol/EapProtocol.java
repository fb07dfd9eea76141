package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

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
import java.util.Map;

/** Requests and responses of authentication; methods deeper than their first fields are data. */
public final class EapProtocol implements Protocol {
  public static final Fields EAP =
      Fields.of("eap", "Extensible Authentication Protocol", "RFC 3748, section 4");
  public static final Field CODE =
      EAP.field(
          "eap.code",
          8,
          DECIMAL,
          "Code",
          ValueNames.from0("", "Request", "Response", "Success", "Failure", "Initiate", "Finish"));
  public static final Field IDENTIFIER = EAP.field("eap.id", 8, DECIMAL, "Identifier");
  public static final Field LENGTH = EAP.field("eap.len", 16, DECIMAL, "Length");
  public static final Field TYPE =
      EAP.source("RFC 3748, section 5")
          .floating(
              "eap.type",
              8,
              DECIMAL,
              "Type",
              ValueNames.of(
                  Map.of(
                      1, "Identity",
                      2, "Notification",
                      3, "Nak",
                      4, "MD5-Challenge",
                      13, "TLS",
                      18, "SIM",
                      21, "TTLS",
                      23, "AKA",
                      25, "PEAP",
                      254, "Expanded")));
  public static final Field IDENTITY = EAP.floating("eap.identity", 0, TEXT, "Identity");
  public static final Field NOTIFICATION =
      EAP.floating("eap.notification", 0, TEXT, "Notification");
  public static final Field DESIRED = EAP.floating("eap.desired_type", 8, DECIMAL, "Desired type");
  public static final Field VALUE_SIZE =
      EAP.source("RFC 3748, section 5.4")
          .floating("eap.md5.value_size", 8, DECIMAL, "Length of the value");
  public static final Field VALUE = EAP.floating("eap.md5.value", 0, BYTES, "Value");
  public static final Field EXTRA = EAP.floating("eap.md5.extra_data", 0, BYTES, "Extra data");
  private static final Parts TLS_FLAGS = tlsFlags().skip(5);
  private static final Parts TUNNEL_FLAGS =
      tlsFlags().skip(2).part("eap.tls.flags.version", 3, DECIMAL, "Version");
  public static final Field TLS_LENGTH =
      EAP.floating("eap.tls.len", 32, DECIMAL, "Length of the TLS message");
  public static final Field VENDOR =
      EAP.source("RFC 3748, section 5.7").floating("eap.ext.vendor_id", 16, HEX, "Vendor");
  public static final Field VENDOR_TYPE =
      EAP.floating("eap.ext.vendor_type", 8, HEX, "Type of the vendor");
  public static final Field DATA =
      EAP.source("RFC 3748, section 4.1").floating("eap.data", 0, BYTES, "Data");

  private static final int HEADER_BYTES = 4;
  private static final int MAX_WITH_TYPE = 2;
  private static final int PPP_EAP = 0xC227;
  private static final int LENGTH_FLAG = 0x80;

  private static Parts tlsFlags() {
    return EAP.source("RFC 5216, section 3.1")
        .parts("eap.tls.flags", 8, HEX, "Flags")
        .flag("eap.tls.flags.len_included", "Length included")
        .flag("eap.tls.flags.more_fragments", "More fragments")
        .flag("eap.tls.flags.start", "Start");
  }

  static {
    EAP.summary(CODE, TYPE, IDENTITY);
  }

  @Override
  public Fields fields() {
    return EAP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(EapolProtocol.TYPES.key(0), DispatchTable.PPP_PROTOCOL.key(PPP_EAP));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    if (length < HEADER_BYTES || length > scan.claimedLength()) {
      scan.malformed();
    }
    scan.total(Math.max(length, HEADER_BYTES));
    if (scan.number(CODE) <= MAX_WITH_TYPE && scan.has(HEADER_BYTES, 2)) {
      data(scan, scan.u8(HEADER_BYTES));
    }
  }

  /** Where what no field has begins. */
  private static void data(Scan scan, int type) {
    switch (type) {
      case 13, 21, 25, 43, 55 -> {
        boolean hasLength = (scan.u8(HEADER_BYTES + 1) & LENGTH_FLAG) != 0;
        scan.header(HEADER_BYTES + (hasLength ? 6 : 2));
      }
      case 254 -> scan.header(HEADER_BYTES + 8);
      default -> {}
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int code = dissection.u8(0);
    dissection.fixed();
    if (code <= MAX_WITH_TYPE && dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      content(dissection, type);
    }
  }

  private static void content(Dissection dissection, int type) {
    switch (type) {
      case 1 -> dissection.addLeft(IDENTITY);
      case 2 -> dissection.addLeft(NOTIFICATION);
      case 3 -> {
        while (dissection.left() > 0) {
          dissection.add(DESIRED);
        }
      }
      case 4 -> {
        int size = (int) dissection.add(VALUE_SIZE);
        dissection.add(VALUE, size);
        dissection.addLeft(EXTRA);
      }
      case 13 -> tls(dissection, TLS_FLAGS);
      case 21, 25, 43, 55 -> tls(dissection, TUNNEL_FLAGS);
      case 254 -> {
        dissection.add(VENDOR, 3);
        dissection.add(VENDOR_TYPE, 4);
      }
      default -> dissection.addLeft(DATA);
    }
  }

  private static void tls(Dissection dissection, Parts flags) {
    if ((dissection.add(flags) & LENGTH_FLAG) != 0) {
      dissection.add(TLS_LENGTH);
    }
  }
}
