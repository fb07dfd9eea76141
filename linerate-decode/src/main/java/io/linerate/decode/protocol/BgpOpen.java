package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.BgpProtocol.BGP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** The open message of BGP, and the capabilities in it. */
final class BgpOpen {
  private static final int CAPABILITIES = 2;
  private static final int EXTENDED = 255;
  private static final int MULTIPROTOCOL = 1;
  private static final int ROUTE_REFRESH = 2;
  private static final int FILTERING = 3;
  private static final int EXTENDED_NEXT_HOP = 5;
  private static final int EXTENDED_MESSAGE = 6;
  private static final int BGPSEC = 7;
  private static final int GRACEFUL_RESTART = 64;
  private static final int FOUR_BYTE_AS = 65;
  private static final int OLD_DYNAMIC = 66;
  private static final int DYNAMIC = 67;
  private static final int MULTISESSION = 68;
  private static final int ADDITIONAL_PATHS = 69;
  private static final int ENHANCED_REFRESH = 70;
  private static final int LONG_LIVED = 71;
  private static final int HOST_NAME = 73;
  private static final int CISCO_REFRESH = 128;
  private static final int CISCO_FILTERING = 130;

  private static final Field VERSION =
      BGP.source("RFC 4271, section 4.2").floating("bgp.open.version", 8, DECIMAL, "Version");
  private static final Field SYSTEM = BGP.floating("bgp.open.myas", 16, DECIMAL, "My system");
  private static final Field HOLD_TIME =
      BGP.floating("bgp.open.holdtime", 16, DECIMAL, "Hold time in seconds");
  private static final Field IDENTIFIER =
      BGP.floating("bgp.open.identifier", 32, IPV4, "Identifier");
  private static final Field PARAMETERS_LENGTH =
      BGP.floating("bgp.open.opt.len", 8, DECIMAL, "Parameters length");
  private static final Field EXTENDED_LENGTH =
      BGP.source("RFC 9072, section 2")
          .floating("bgp.open.opt.extended_length", 16, DECIMAL, "Parameters length, extended");
  private static final Field PARAMETER =
      BGP.floating("bgp.open.opt.param.type", 8, DECIMAL, "Parameter");
  private static final Field PARAMETER_LENGTH =
      BGP.floating("bgp.open.opt.param.len", 8, DECIMAL, "Parameter length");
  private static final Field PARAMETER_DATA =
      BGP.floating("bgp.open.opt.param.unknown", 0, BYTES, "Parameter value");
  private static final Field TYPE =
      BGP.source("RFC 5492, section 4")
          .floating(
              "bgp.cap.type",
              8,
              DECIMAL,
              "Capability",
              ValueNames.of(
                  Map.ofEntries(
                      Map.entry(MULTIPROTOCOL, "Multiprotocol"),
                      Map.entry(ROUTE_REFRESH, "Route refresh"),
                      Map.entry(FILTERING, "Outbound route filtering"),
                      Map.entry(EXTENDED_NEXT_HOP, "Extended next hop"),
                      Map.entry(EXTENDED_MESSAGE, "Extended message"),
                      Map.entry(BGPSEC, "BGPsec"),
                      Map.entry(9, "Role"),
                      Map.entry(GRACEFUL_RESTART, "Graceful restart"),
                      Map.entry(FOUR_BYTE_AS, "Four-byte system numbers"),
                      Map.entry(OLD_DYNAMIC, "Dynamic, deprecated"),
                      Map.entry(DYNAMIC, "Dynamic"),
                      Map.entry(MULTISESSION, "Multisession"),
                      Map.entry(ADDITIONAL_PATHS, "Additional paths"),
                      Map.entry(ENHANCED_REFRESH, "Enhanced route refresh"),
                      Map.entry(LONG_LIVED, "Long-lived graceful restart"),
                      Map.entry(HOST_NAME, "Host name"),
                      Map.entry(CISCO_REFRESH, "Route refresh of Cisco"),
                      Map.entry(CISCO_FILTERING, "Outbound route filtering of Cisco"))));
  private static final Field LENGTH =
      BGP.floating("bgp.cap.length", 8, DECIMAL, "Capability length");
  private static final Field UNKNOWN =
      BGP.floating("bgp.cap.unknown", 0, BYTES, "Capability value");
  private static final Field RESERVED = BGP.floating("bgp.cap.reserved", 8, BYTES, "Reserved");
  private static final Field FAMILY =
      BGP.source("RFC 4760, section 8").floating("bgp.cap.mp.afi", 16, DECIMAL, "Address family");
  private static final Field SUBSEQUENT =
      BGP.floating("bgp.cap.mp.safi", 8, DECIMAL, "Subsequent address family");
  private static final Field NEXT_HOP_OF =
      BGP.source("RFC 8950, section 4")
          .floating("bgp.cap.enh.afi", 16, DECIMAL, "Family of the routes");
  private static final Field NEXT_HOP_SUBSEQUENT =
      BGP.floating("bgp.cap.enh.safi", 16, DECIMAL, "Subsequent family of the routes");
  private static final Field NEXT_HOP_FAMILY =
      BGP.floating("bgp.cap.enh.nhafi", 16, DECIMAL, "Family of the next hop");
  private static final Parts RESTART =
      BGP.source("RFC 4724, section 3")
          .parts("bgp.cap.gr.timers", 16, HEX, "Restart")
          .flag("bgp.cap.gr.timers.restart_flag", "Restarted")
          .flag("bgp.cap.gr.timers.notification_flag", "Graceful notification")
          .skip(2)
          .part("bgp.cap.gr.timers.restart_time", 12, DECIMAL, "Restart time in seconds");
  private static final Field RESTART_FAMILY =
      BGP.floating("bgp.cap.gr.afi", 16, DECIMAL, "Restart family");
  private static final Field RESTART_SUBSEQUENT =
      BGP.floating("bgp.cap.gr.safi", 8, DECIMAL, "Restart subsequent family");
  private static final Parts RESTART_FLAGS =
      BGP.parts("bgp.cap.gr.flag", 8, HEX, "Restart flags")
          .flag("bgp.cap.gr.flag.pfs", "Forwarding state kept");
  private static final Field SYSTEM_4 =
      BGP.source("RFC 6793, section 3").floating("bgp.cap.4as", 32, DECIMAL, "My system");
  private static final Field DYNAMIC_TYPE =
      BGP.floating("bgp.cap.dc", 8, DECIMAL, "Dynamic capability");
  private static final Field PATHS_FAMILY =
      BGP.source("RFC 7911, section 4")
          .floating("bgp.cap.ap.afi", 16, DECIMAL, "Family of additional paths");
  private static final Field PATHS_SUBSEQUENT =
      BGP.floating("bgp.cap.ap.safi", 8, DECIMAL, "Subsequent family of additional paths");
  private static final Field PATHS_MODE =
      BGP.floating(
          "bgp.cap.ap.sendreceive",
          8,
          DECIMAL,
          "Additional paths",
          ValueNames.from0("Reserved", "Receive", "Send", "Both"));
  private static final Field FILTER_FAMILY =
      BGP.source("RFC 5291, section 5").floating("bgp.cap.orf.afi", 16, DECIMAL, "Family filtered");
  private static final Field FILTER_SUBSEQUENT =
      BGP.floating("bgp.cap.orf.safi", 8, DECIMAL, "Subsequent family filtered");
  private static final Field FILTERS =
      BGP.floating("bgp.cap.orf.number", 8, DECIMAL, "Kinds of filters");
  private static final Field FILTER =
      BGP.floating("bgp.cap.orf.type", 8, DECIMAL, "Kind of filter");
  private static final Field FILTER_MODE =
      BGP.floating("bgp.cap.orf.sendreceive", 8, DECIMAL, "Filter mode");
  private static final Field HOST_LENGTH =
      BGP.source("draft-walton-bgp-hostname-capability, section 2")
          .floating("bgp.cap.orf.fqdn.hostname.len", 8, DECIMAL, "Host name length");
  private static final Field HOST = BGP.floating("bgp.cap.orf.fqdn.hostname", 0, TEXT, "Host name");
  private static final Field DOMAIN_LENGTH =
      BGP.floating("bgp.cap.orf.fqdn.domain_name.len", 8, DECIMAL, "Domain name length");
  private static final Field DOMAIN =
      BGP.floating("bgp.cap.orf.fqdn.domain_name", 0, TEXT, "Domain name");
  private static final Parts SECURITY =
      BGP.source("RFC 8205, section 2.1")
          .parts("bgp.cap.bgpsec.flags", 8, HEX, "BGPsec flags")
          .part("bgp.cap.bgpsec.version", 4, DECIMAL, "BGPsec version")
          .part("bgp.cap.bgpsec.sendreceive", 1, DECIMAL, "BGPsec send")
          .part("bgp.cap.bgpsec.reserved", 3, HEX, "Reserved");
  private static final Field SECURITY_FAMILY =
      BGP.floating("bgp.cap.bgpsec.afi", 16, DECIMAL, "BGPsec family");

  private BgpOpen() {}

  /** Declares the fields: BGP's are complete only then. */
  static void declare() {}

  static void dissect(Dissection dissection) {
    dissection.add(VERSION);
    dissection.add(SYSTEM);
    dissection.add(HOLD_TIME);
    dissection.add(IDENTIFIER);
    int length = (int) dissection.add(PARAMETERS_LENGTH);
    boolean isExtended = length == EXTENDED && dissection.u8(0) == EXTENDED;
    if (isExtended) {
      dissection.skip(1);
      length = (int) dissection.add(EXTENDED_LENGTH);
    }
    int before = dissection.enter(length);
    while (dissection.left() > 0) {
      int type = (int) dissection.add(PARAMETER);
      int bytes = (int) dissection.add(PARAMETER_LENGTH, isExtended ? 2 : 1);
      int outer = dissection.enter(bytes);
      if (type == CAPABILITIES) {
        capabilities(dissection);
      } else {
        dissection.addLeft(PARAMETER_DATA);
      }
      dissection.leave(outer);
    }
    dissection.leave(before);
  }

  /** Goes through all capabilities from the cursor to the end. */
  static void capabilities(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(LENGTH);
      int before = dissection.enter(length);
      capability(dissection, type);
      dissection.leave(before);
    }
  }

  private static void capability(Dissection dissection, int type) {
    switch (type) {
      case MULTIPROTOCOL -> {
        dissection.add(FAMILY);
        dissection.add(RESERVED);
        dissection.add(SUBSEQUENT);
      }
      case FILTERING, CISCO_FILTERING -> filtering(dissection);
      case EXTENDED_NEXT_HOP -> {
        while (dissection.left() > 0) {
          dissection.add(NEXT_HOP_OF);
          dissection.add(NEXT_HOP_SUBSEQUENT);
          dissection.add(NEXT_HOP_FAMILY);
        }
      }
      case GRACEFUL_RESTART -> restart(dissection);
      case FOUR_BYTE_AS -> dissection.add(SYSTEM_4);
      case OLD_DYNAMIC, DYNAMIC -> {
        while (dissection.left() > 0) {
          dissection.add(DYNAMIC_TYPE);
        }
      }
      case ADDITIONAL_PATHS -> {
        while (dissection.left() > 0) {
          dissection.add(PATHS_FAMILY);
          dissection.add(PATHS_SUBSEQUENT);
          dissection.add(PATHS_MODE);
        }
      }
      case HOST_NAME -> {
        dissection.add(HOST, (int) dissection.add(HOST_LENGTH));
        dissection.add(DOMAIN, (int) dissection.add(DOMAIN_LENGTH));
      }
      case BGPSEC -> {
        dissection.add(SECURITY);
        dissection.add(SECURITY_FAMILY);
      }
      default -> dissection.addLeft(UNKNOWN);
    }
  }

  private static void filtering(Dissection dissection) {
    while (dissection.left() > 0) {
      dissection.add(FILTER_FAMILY);
      dissection.add(RESERVED);
      dissection.add(FILTER_SUBSEQUENT);
      int filters = (int) dissection.add(FILTERS);
      for (int i = 0; i < filters && dissection.expectsMore(); i++) {
        dissection.add(FILTER);
        dissection.add(FILTER_MODE);
      }
    }
  }

  private static void restart(Dissection dissection) {
    dissection.add(RESTART);
    while (dissection.left() > 0) {
      dissection.add(RESTART_FAMILY);
      dissection.add(RESTART_SUBSEQUENT);
      dissection.add(RESTART_FLAGS);
    }
  }
}
