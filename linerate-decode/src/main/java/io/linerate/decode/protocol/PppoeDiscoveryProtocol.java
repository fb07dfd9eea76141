package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;
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
import io.linerate.wire.EtherType;
import java.util.List;
import java.util.Map;

/** How hosts find access concentrators and begin sessions of PPP over Ethernet, and end them. */
public final class PppoeDiscoveryProtocol implements Protocol {
  static final ValueNames CODES =
      ValueNames.of(
          Map.of(
              0x00, "Session data",
              0x07, "Active Discovery Offer (PADO)",
              0x09, "Active Discovery Initiation (PADI)",
              0x19, "Active Discovery Request (PADR)",
              0x65, "Active Discovery Session-confirmation (PADS)",
              0xA7, "Active Discovery Terminate (PADT)",
              0xD3, "Active Discovery Message (PADM)"));

  public static final Fields DISCOVERY =
      Fields.of("pppoed", "PPP-over-Ethernet Discovery", "RFC 2516, section 4");
  public static final Field VERSION = DISCOVERY.field("pppoe.version", 4, DECIMAL, "Version");
  public static final Field TYPE = DISCOVERY.field("pppoe.type", 4, DECIMAL, "Type");
  public static final Field CODE = DISCOVERY.field("pppoe.code", 8, HEX, "Code", CODES);
  public static final Field SESSION = DISCOVERY.field("pppoe.session_id", 16, HEX, "Session");
  public static final Field LENGTH =
      DISCOVERY.field("pppoe.payload_length", 16, DECIMAL, "Length of the payload");
  public static final Field TAGS =
      DISCOVERY.source("RFC 2516, appendix A").floating("pppoed.tags", 0, NONE, "Tags");
  public static final Field SERVICE_NAME = text("service_name", "Service name");
  public static final Field CONCENTRATOR_NAME = text("ac_name", "Name of the concentrator");
  public static final Field HOST_UNIQUE = bytes("host_uniq", "Unique to the host");
  public static final Field COOKIE = bytes("ac_cookie", "Cookie of the concentrator");
  public static final Field VENDOR =
      DISCOVERY.floating("pppoed.tags.vendor_id", 32, DECIMAL, "Vendor");
  public static final Field VENDOR_DATA = bytes("vendor_unspecified", "Data of the vendor");
  public static final Field RELAY_SESSION = bytes("relay_session_id", "Session of the relay");
  public static final Field SERVICE_NAME_ERROR = text("service_name_error", "Service name error");
  public static final Field SYSTEM_ERROR = text("ac_system_error", "Error of the concentrator");
  public static final Field GENERIC_ERROR = text("generic_error", "Error");
  public static final Field MAX_PAYLOAD =
      DISCOVERY
          .source("RFC 4638, section 4")
          .floating("pppoed.tags.max_payload", 0, BYTES, "Largest payload");
  public static final Field URL =
      DISCOVERY
          .source("draft-carrel-info-pppoe-ext-00, section 5")
          .floating("pppoed.tags.hurl", 0, BYTES, "Host URL");
  public static final Field MESSAGE = bytes("motm", "Message");
  public static final Field ROUTE = bytes("ip_route_add", "Route to add");
  public static final Field FORWARD_CREDITS =
      DISCOVERY
          .source("RFC 5578, appendix A")
          .floating("pppoed.tags.credits.fcn", 16, DECIMAL, "Forward credits");
  public static final Field BACKWARD_CREDITS =
      DISCOVERY.floating("pppoed.tags.credits.bcn", 16, DECIMAL, "Backward credits");
  private static final Parts METRICS =
      DISCOVERY
          .parts(16)
          .skip(11)
          .part("pppoed.tags.metrics.mdr_units", 2, HEX, "Units of the largest data rate")
          .part("pppoed.tags.metrics.cdr_units", 2, HEX, "Units of the data rate")
          .flag("pppoed.tags.metrics.r", "Receives only");
  public static final Field LINK_QUALITY = metric("rlq", 8, "Relative link quality");
  public static final Field RESOURCE = metric("resource", 8, "Resource");
  public static final Field LATENCY = metric("latency", 16, "Latency in ms");
  public static final Field DATA_RATE = metric("curr_drate", 16, "Data rate");
  public static final Field MAX_DATA_RATE = metric("max_drate", 16, "Largest data rate");
  public static final Field SEQUENCE =
      DISCOVERY.floating("pppoed.tags.seq_num", 16, HEX, "Sequence number");
  public static final Field CREDIT_SCALE =
      DISCOVERY.floating("pppoed.tags.credit_scale", 16, DECIMAL, "Factor of credits");
  public static final Field TAG =
      DISCOVERY.source("RFC 2516, section 4").floating("pppoed.tag", 16, HEX, "Tag");
  public static final Field TAG_LENGTH =
      DISCOVERY.floating("pppoed.tag_length", 16, DECIMAL, "Length of the tag");
  public static final Field TAG_DATA =
      DISCOVERY.floating("pppoed.tag.unknown_data", 0, BYTES, "Data of the tag");
  static final PppoeAccessLine LINE = new PppoeAccessLine(DISCOVERY);

  static final int HEADER_BYTES = 6;
  private static final int TAG_HEADER_BYTES = 4;

  private static Field text(String name, String label) {
    return DISCOVERY.floating("pppoed.tags." + name, 0, TEXT, label);
  }

  private static Field bytes(String name, String label) {
    return DISCOVERY.floating("pppoed.tags." + name, 0, BYTES, label);
  }

  private static Field metric(String name, int bits, String label) {
    return DISCOVERY.floating("pppoed.tags.metrics." + name, bits, DECIMAL, label);
  }

  static {
    DISCOVERY.summary(CODE, SESSION, SERVICE_NAME, CONCENTRATOR_NAME);
  }

  @Override
  public Fields fields() {
    return DISCOVERY;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.PPPOE_DISCOVERY));
  }

  @Override
  public void scan(Scan scan) {
    int length = scan.number(LENGTH);
    scan.total(HEADER_BYTES + length);
    if (length > scan.claimedLength() - HEADER_BYTES) {
      scan.malformed();
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.left() == 0) {
      return;
    }
    dissection.open(TAGS, dissection.left());
    while (dissection.left() >= TAG_HEADER_BYTES) {
      int tag = dissection.u16(0);
      int length = dissection.u16(2);
      if (tag == 0) {
        break;
      }
      dissection.skip(TAG_HEADER_BYTES);
      int before = dissection.enter(length);
      tag(dissection, tag, length);
      dissection.leave(before);
    }
    dissection.close();
  }

  private static void tag(Dissection dissection, int tag, int length) {
    switch (tag) {
      case 0x0101 -> dissection.addLeft(SERVICE_NAME);
      case 0x0102 -> dissection.addLeft(CONCENTRATOR_NAME);
      case 0x0103 -> dissection.addLeft(HOST_UNIQUE);
      case 0x0104 -> dissection.addLeft(COOKIE);
      case 0x0105 -> vendor(dissection);
      case 0x0106 -> {
        dissection.add(FORWARD_CREDITS);
        dissection.add(BACKWARD_CREDITS);
      }
      case 0x0107 -> metrics(dissection);
      case 0x0108 -> dissection.add(SEQUENCE);
      case 0x0109 -> dissection.add(CREDIT_SCALE);
      case 0x0110 -> dissection.addLeft(RELAY_SESSION);
      case 0x0111 -> dissection.addLeft(URL);
      case 0x0112 -> dissection.addLeft(MESSAGE);
      case 0x0120 -> dissection.addLeft(MAX_PAYLOAD);
      case 0x0121 -> dissection.addLeft(ROUTE);
      case 0x0201 -> dissection.addLeft(SERVICE_NAME_ERROR);
      case 0x0202 -> dissection.addLeft(SYSTEM_ERROR);
      case 0x0203 -> dissection.addLeft(GENERIC_ERROR);
      default -> {
        dissection.value(TAG, tag, -TAG_HEADER_BYTES, 2);
        dissection.value(TAG_LENGTH, length, -2, 2);
        dissection.addLeft(TAG_DATA);
      }
    }
  }

  private static void metrics(Dissection dissection) {
    dissection.add(METRICS);
    dissection.add(LINK_QUALITY);
    dissection.add(RESOURCE);
    dissection.add(LATENCY);
    dissection.add(DATA_RATE);
    dissection.add(MAX_DATA_RATE);
  }

  private static void vendor(Dissection dissection) {
    if (dissection.left() < 4) {
      dissection.addLeft(VENDOR_DATA);
      return;
    }
    if (dissection.add(VENDOR) == PppoeAccessLine.BROADBAND_FORUM) {
      LINE.dissect(dissection);
    } else {
      dissection.addLeft(VENDOR_DATA);
    }
  }
}
