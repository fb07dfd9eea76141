package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.MAC;
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

/** How the ends of a PPP link agree on its options, test it and end it. */
public final class LcpProtocol implements Protocol {
  public static final Fields LCP =
      Fields.of("lcp", "PPP Link Control Protocol", "RFC 1661, section 5");
  private static final PppControl CONTROL = new PppControl(LCP);
  public static final Field MAGIC = LCP.floating("lcp.magic_number", 32, HEX, "Magic number");
  public static final Field DATA = LCP.floating("lcp.data", 0, BYTES, "Data");
  public static final Field REJECTED = LCP.floating("lcp.rej_proto", 16, HEX, "Rejected protocol");
  public static final Field MESSAGE =
      LCP.source("RFC 1570, section 1").floating("lcp.message", 0, TEXT, "Message");
  public static final Field REMAINING =
      LCP.floating("lcp.secs_remaining", 32, DECIMAL, "Seconds remaining");
  public static final Field OPTION_TYPE =
      LCP.source("RFC 1661, section 6").floating("lcp.opt.type", 8, DECIMAL, "Type of the option");
  public static final Field OPTION_LENGTH =
      LCP.floating("lcp.opt.length", 8, DECIMAL, "Length of the option");
  public static final Field OPTION_DATA =
      LCP.floating("lcp.opt.data", 0, BYTES, "Data of the option");
  public static final Field ORGANISATION =
      LCP.source("RFC 2153, section 2").floating("lcp.opt.oui", 24, DECIMAL, "Organisation");
  public static final Field KIND = LCP.floating("lcp.opt.kind", 8, DECIMAL, "Kind");
  public static final Field MRU =
      LCP.source("RFC 1661, section 6.1")
          .floating("lcp.opt.mru", 16, DECIMAL, "Maximum receive unit");
  private static final Parts CHARACTER_MAP = characterMap();
  public static final Field AUTHENTICATION =
      LCP.source("RFC 1661, section 6.2")
          .floating(
              "lcp.opt.auth_protocol",
              16,
              HEX,
              "Authentication protocol",
              ValueNames.of(Map.of(0xC023, "PAP", 0xC223, "CHAP", 0xC227, "EAP")));
  public static final Field ALGORITHM =
      LCP.source("RFC 1994, section 3")
          .floating(
              "lcp.opt.algorithm",
              8,
              DECIMAL,
              "Algorithm",
              ValueNames.of(Map.of(5, "MD5", 6, "SHA-1", 128, "MS-CHAP", 129, "MS-CHAP-2")));
  public static final Field QUALITY =
      LCP.source("RFC 1661, section 6.3")
          .floating("lcp.opt.quality_protocol", 16, HEX, "Quality protocol");
  public static final Field REPORTING_PERIOD =
      LCP.source("RFC 1989, section 2.2")
          .floating("lcp.opt.reporting_period", 32, DECIMAL, "Reporting period");
  public static final Field OPTION_MAGIC =
      LCP.source("RFC 1661, section 6.4")
          .floating("lcp.opt.magic_number", 32, HEX, "Magic number of the option");
  private static final Parts FCS =
      LCP.source("RFC 1570, section 2.1")
          .parts("lcp.opt.fcs_alternatives", 8, HEX, "Check sequences")
          .skip(5)
          .flag("lcp.opt.fcs_alternatives.ccitt32", "32 bits")
          .flag("lcp.opt.fcs_alternatives.ccitt16", "16 bits")
          .flag("lcp.opt.fcs_alternatives.null", "None");
  public static final Field MAX_PADDING =
      LCP.source("RFC 1570, section 2.2").floating("lcp.opt.maximum", 8, DECIMAL, "Most padding");
  public static final Field OPERATION =
      LCP.source("RFC 1570, section 2.3").floating("lcp.opt.operation", 8, DECIMAL, "Call back by");
  public static final Field CALLBACK =
      LCP.floating("lcp.opt.message", 0, BYTES, "Where to call back");
  public static final Field MRRU =
      LCP.source("RFC 1990, section 5.1.1")
          .floating("lcp.opt.mrru", 16, DECIMAL, "Maximum received reconstructed unit");
  public static final Field ENDPOINT_CLASS =
      LCP.source("RFC 1990, section 5.1.3")
          .floating("lcp.opt.ep_disc_class", 8, DECIMAL, "Class of the end point");
  public static final Field ENDPOINT_IP =
      LCP.floating("lcp.opt.ip_address", 32, IPV4, "IP address of the end point");
  public static final Field ENDPOINT_MAC =
      LCP.floating("lcp.opt.802_1_address", 48, MAC, "MAC address of the end point");
  public static final Field ENDPOINT_MAGIC =
      LCP.floating("lcp.opt.magic_block", 0, BYTES, "Magic numbers of the end point");
  public static final Field ENDPOINT_NUMBER =
      LCP.floating("lcp.opt.psndn", 0, BYTES, "Directory number of the end point");
  public static final Field DISCRIMINATOR =
      LCP.source("RFC 2125, section 5.1")
          .floating("lcp.opt.link_discrim", 16, DECIMAL, "Discriminator of the link");

  private static Parts characterMap() {
    String[] names = {
      "us", "rs", "gs", "fs", "esc", "sub", "em", "can", "etb", "syn", "nak", "dc4", "dc3", "dc2",
      "dc1", "dle", "si", "so", "cr", "ff", "vt", "lf", "ht", "bs", "bel", "ack", "enq", "eot",
      "etx", "stx", "soh", "nul"
    };
    Parts map =
        LCP.source("RFC 1662, section 7.1")
            .parts("lcp.opt.asyncmap", 32, HEX, "Control characters to escape");
    for (String name : names) {
      map.flag("lcp.opt.asyncmap." + name, name);
    }
    return map;
  }

  @Override
  public Fields fields() {
    return LCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0xC021));
  }

  @Override
  public void scan(Scan scan) {
    CONTROL.scan(scan);
    int code = scan.u8(0);
    if (code == 8 && scan.has(PppControl.HEADER_BYTES, 3)) {
      scan.header(PppControl.HEADER_BYTES + 2);
      scan.next(DispatchTable.PPP_PROTOCOL, scan.u16(PppControl.HEADER_BYTES));
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int code = dissection.u8(0);
    if (code >= 8 && code <= 13) {
      dissection.fixed();
    }
    switch (code) {
      case 8 -> dissection.add(REJECTED);
      case 9, 10, 11 -> {
        dissection.add(MAGIC);
        dissection.addLeft(DATA);
      }
      case 12 -> {
        dissection.add(MAGIC);
        dissection.addLeft(MESSAGE);
      }
      case 13 -> {
        dissection.add(MAGIC);
        dissection.add(REMAINING);
        dissection.addLeft(MESSAGE);
      }
      default -> CONTROL.dissect(dissection, LcpProtocol::option);
    }
  }

  private static void option(Dissection dissection, int type, int count) {
    dissection.add(OPTION_TYPE);
    dissection.add(OPTION_LENGTH);
    switch (type) {
      case 0 -> {
        dissection.add(ORGANISATION);
        dissection.add(KIND);
        dissection.addLeft(OPTION_DATA);
      }
      case 1 -> dissection.add(MRU);
      case 2 -> dissection.add(CHARACTER_MAP);
      case 3 -> {
        int protocol = (int) dissection.add(AUTHENTICATION);
        if (protocol == 0xC223) {
          dissection.add(ALGORITHM);
        }
        dissection.addLeft(OPTION_DATA);
      }
      case 4 -> {
        int protocol = (int) dissection.add(QUALITY);
        if (protocol == 0xC025) {
          dissection.add(REPORTING_PERIOD);
        }
        dissection.addLeft(OPTION_DATA);
      }
      case 5 -> dissection.add(OPTION_MAGIC);
      case 9 -> dissection.add(FCS);
      case 10 -> dissection.add(MAX_PADDING);
      case 13 -> {
        dissection.add(OPERATION);
        dissection.addLeft(CALLBACK);
      }
      case 17 -> dissection.add(MRRU);
      case 19 -> endpoint(dissection);
      case 23 -> dissection.add(DISCRIMINATOR);
      default -> dissection.addLeft(OPTION_DATA);
    }
  }

  private static void endpoint(Dissection dissection) {
    switch ((int) dissection.add(ENDPOINT_CLASS)) {
      case 2 -> dissection.add(ENDPOINT_IP);
      case 3 -> dissection.add(ENDPOINT_MAC);
      case 4 -> dissection.addLeft(ENDPOINT_MAGIC);
      case 5 -> dissection.addLeft(ENDPOINT_NUMBER);
      default -> dissection.addLeft(OPTION_DATA);
    }
  }
}
