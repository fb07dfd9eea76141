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
import io.linerate.decode.Scan;
import java.util.List;

/** How the ends of a PPP link agree on their IPv4 addresses. */
public final class IpcpProtocol implements Protocol {
  public static final Fields IPCP =
      Fields.of("ipcp", "PPP IP Control Protocol", "RFC 1332, section 2");
  private static final PppControl CONTROL = new PppControl(IPCP);
  public static final Field OPTION_TYPE =
      IPCP.source("RFC 1332, section 3")
          .floating("ipcp.opt.type", 8, DECIMAL, "Type of the option");
  public static final Field OPTION_LENGTH =
      IPCP.floating("ipcp.opt.length", 8, DECIMAL, "Length of the option");
  public static final Field SOURCE = address("src_address", "Source address");
  public static final Field DESTINATION = address("dst_address", "Destination address");
  public static final Field COMPRESSION =
      IPCP.floating("ipcp.opt.compress_proto", 16, HEX, "Compression protocol");
  public static final Field MAX_SLOT =
      IPCP.source("RFC 1332, section 4")
          .floating("ipcp.opt.max_slot_id", 8, DECIMAL, "Highest slot");
  public static final Field COMPRESSED_SLOT =
      IPCP.floating("ipcp.opt.comp_slot_id", 8, FLAG, "Slot may be compressed");
  public static final Field TCP_SPACE = compression("tcp_space", "Contexts of TCP");
  public static final Field NON_TCP_SPACE = compression("non_tcp_space", "Other contexts");
  public static final Field MAX_PERIOD = compression("f_max_period", "Most headers between full");
  public static final Field MAX_TIME = compression("f_max_time", "Most seconds between full");
  public static final Field MAX_HEADER = compression("max_header", "Longest header");
  public static final Field ADDRESS =
      IPCP.source("RFC 1332, section 3.3").floating("ipcp.opt.ip_address", 32, IPV4, "Address");
  public static final Field HOME_ADDRESS =
      IPCP.source("RFC 2290, section 2")
          .floating("ipcp.opt.mobilenodehomeaddress", 32, IPV4, "Home address");
  public static final Field PRIMARY_DNS =
      IPCP.source("RFC 1877, section 1")
          .floating("ipcp.opt.pri_dns_address", 32, IPV4, "Primary DNS server");
  public static final Field PRIMARY_NBNS = address("pri_nbns_address", "Primary NBNS server");
  public static final Field SECONDARY_DNS = address("sec_dns_address", "Secondary DNS server");
  public static final Field SECONDARY_NBNS = address("sec_nbns_address", "Secondary NBNS server");
  public static final Field DATA = IPCP.floating("ipcp.data", 0, BYTES, "Data of the option");

  private static Field address(String name, String label) {
    return IPCP.floating("ipcp.opt." + name, 32, IPV4, label);
  }

  private static Field compression(String name, String label) {
    return IPCP.source("RFC 3544, section 2.1").floating("ipcp.opt." + name, 16, DECIMAL, label);
  }

  @Override
  public Fields fields() {
    return IPCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(0x8021));
  }

  @Override
  public void scan(Scan scan) {
    CONTROL.scan(scan);
  }

  @Override
  public void dissect(Dissection dissection) {
    CONTROL.dissect(dissection, IpcpProtocol::option);
  }

  private static void option(Dissection dissection, int type, int count) {
    dissection.add(OPTION_TYPE);
    dissection.add(OPTION_LENGTH);
    switch (type) {
      case 1 -> {
        dissection.add(SOURCE);
        dissection.add(DESTINATION);
      }
      case 2 -> compression(dissection);
      case 3 -> dissection.add(ADDRESS);
      case 4 -> dissection.add(HOME_ADDRESS);
      case 129 -> dissection.add(PRIMARY_DNS);
      case 130 -> dissection.add(PRIMARY_NBNS);
      case 131 -> dissection.add(SECONDARY_DNS);
      case 132 -> dissection.add(SECONDARY_NBNS);
      default -> dissection.addLeft(DATA);
    }
  }

  private static void compression(Dissection dissection) {
    switch ((int) dissection.add(COMPRESSION)) {
      // Van Jacobson's.
      case 0x002D -> {
        dissection.add(MAX_SLOT);
        dissection.add(COMPRESSED_SLOT);
      }
      case 0x0061 -> {
        dissection.add(TCP_SPACE);
        dissection.add(NON_TCP_SPACE);
        dissection.add(MAX_PERIOD);
        dissection.add(MAX_TIME);
        dissection.add(MAX_HEADER);
        dissection.addLeft(DATA);
      }
      default -> dissection.addLeft(DATA);
    }
  }
}
