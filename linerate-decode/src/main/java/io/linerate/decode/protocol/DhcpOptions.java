package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.SIGNED;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;
import java.util.HashMap;
import java.util.Map;

/** The options of DHCP; RFC 2132. */
final class DhcpOptions {
  private static final Fields DHCP = DhcpProtocol.DHCP.source("RFC 2132, section 2");
  private static final Field OPTION = DHCP.floating("dhcp.option", 0, NONE, "Option");
  private static final Field TYPE = DHCP.floating("dhcp.option.type", 8, DECIMAL, "Type");
  private static final Field LENGTH = DHCP.floating("dhcp.option.length", 8, DECIMAL, "Length");
  private static final Field VALUE = DHCP.floating("dhcp.option.value", 0, BYTES, "Value");
  private static final Field PADDING = DHCP.floating("dhcp.option.padding", 0, BYTES, "Padding");
  private static final Field END = DHCP.floating("dhcp.option.end", 8, DECIMAL, "End");
  private static final Field OVERLOAD =
      DHCP.source("RFC 2132, section 9.3")
          .floating("dhcp.option.option_overload", 8, DECIMAL, "Overload");

  private static final int OVERLOAD_TYPE = 52;
  private static final int END_TYPE = 255;
  private static final int HEADER_BYTES = 2;

  private static final ValueNames MESSAGES =
      ValueNames.from0(
          "", "discover", "offer", "request", "decline", "ack", "nak", "release", "inform");

  private static final NumberedTable<ValueLayout> LAYOUTS = layouts();

  private DhcpOptions() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    DhcpAgentInformation.declare();
    // Has a field with its bytes last one first, behind which there may be no other.
    DhcpCompositeOptions.declare();
  }

  private static ValueLayout layout(Map<Integer, ValueLayout> all, String section, int type) {
    ValueLayout layout = new ValueLayout(DHCP.source(section), "dhcp.option.");
    all.put(type, layout);
    return layout;
  }

  private static NumberedTable<ValueLayout> layouts() {
    Map<Integer, ValueLayout> all = new HashMap<>();
    vendor(all);
    parameters(all);
    services(all);
    extensions(all);
    further(all);
    return new NumberedTable<>(all);
  }

  private static void addresses(
      Map<Integer, ValueLayout> all, String section, int type, String name, String label) {
    layout(all, section, type).number(name, 32, IPV4, label).repeated();
  }

  private static void flag(
      Map<Integer, ValueLayout> all, String section, int type, String name, String label) {
    layout(all, section, type).number(name, 8, FLAG, label);
  }

  private static void vendor(Map<Integer, ValueLayout> all) {
    String section = "RFC 2132, section 3";
    layout(all, section, 1).number("subnet_mask", 32, IPV4, "Subnet mask");
    layout(all, section, 2).number("time_offset", 32, SIGNED, "Time offset in s");
    addresses(all, section, 3, "router", "Router");
    addresses(all, section, 4, "time_server", "Time server");
    addresses(all, section, 5, "name_server", "Name server");
    addresses(all, section, 6, "domain_name_server", "Domain name server");
    addresses(all, section, 7, "log_server", "Log server");
    addresses(all, section, 8, "quotes_server", "Quotes server");
    addresses(all, section, 9, "lpr_server", "Print server");
    addresses(all, section, 10, "impress_server", "Impress server");
    addresses(all, section, 11, "resource_location_server", "Resource location server");
    layout(all, section, 12).text("hostname", "Host name");
    layout(all, section, 13).number("boot_file_size", 16, "Boot file size in 512 B");
    layout(all, section, 14).text("merit_dump_file", "Dump file");
    layout(all, section, 15).text("domain_name", "Domain name");
    layout(all, section, 16).number("swap_server", 32, IPV4, "Swap server");
    layout(all, section, 17).text("root_path", "Root path");
    layout(all, section, 18).text("extension_path", "Extensions path");
  }

  private static void parameters(Map<Integer, ValueLayout> all) {
    String section = "RFC 2132, section 4";
    flag(all, section, 19, "ip_forwarding", "IP forwarding");
    flag(all, section, 20, "non_local_source_routing", "Non-local source routing");
    layout(all, section, 21)
        .number("policy_filter.ip", 32, IPV4, "Policy filter")
        .number("policy_filter.subnet_mask", 32, IPV4, "Subnet mask")
        .repeated();
    layout(all, section, 22)
        .number("max_datagram_reassembly_size", 16, "Largest datagram to reassemble");
    layout(all, section, 23).number("default_ip_ttl", 8, "Default time to live");
    layout(all, section, 24).number("path_mtu_aging_timeout", 32, "Path MTU aging timeout in s");
    layout(all, section, 25)
        .number("path_mtu_plateau_table_item", 16, "Path MTU plateau")
        .repeated();
    section = "RFC 2132, section 5";
    layout(all, section, 26).number("interface_mtu", 16, "Interface MTU");
    flag(all, section, 27, "all_subnets_are_local", "All subnets are local");
    layout(all, section, 28).number("broadcast_address", 32, IPV4, "Broadcast address");
    flag(all, section, 29, "perform_mask_discovery", "Perform mask discovery");
    flag(all, section, 30, "mask_supplier", "Mask supplier");
    flag(all, section, 31, "perform_router_discover", "Perform router discovery");
    layout(all, section, 32)
        .number("router_solicitation_address", 32, IPV4, "Router solicitation address");
    layout(all, section, 33)
        .number("static_route.ip", 32, IPV4, "Static route")
        .number("static_route.router", 32, IPV4, "Router")
        .repeated();
    section = "RFC 2132, section 6";
    flag(all, section, 34, "trailer_encapsulation", "Trailer encapsulation");
    layout(all, section, 35).number("arp_cache_timeout", 32, "ARP cache timeout in s");
    flag(all, section, 36, "ethernet_encapsulation", "IEEE 802.3 encapsulation");
    section = "RFC 2132, section 7";
    layout(all, section, 37).number("tcp_default_ttl", 8, "TCP default time to live");
    layout(all, section, 38).number("tcp_keepalive_interval", 32, "TCP keepalive interval in s");
    flag(all, section, 39, "tcp_keepalive_garbage", "TCP keepalive garbage");
  }

  private static void services(Map<Integer, ValueLayout> all) {
    String section = "RFC 2132, section 8";
    layout(all, section, 40).text("nis_domain", "NIS domain");
    addresses(all, section, 41, "nis_server", "NIS server");
    addresses(all, section, 42, "ntp_server", "NTP server");
    all.put(43, ValueLayout.of(DHCP.floating("dhcp.option.vendor.value", 0, BYTES, "Vendor's")));
    addresses(all, section, 44, "netbios_over_tcpip_name_server", "NetBIOS name server");
    addresses(all, section, 45, "netbios_over_tcpip_dd_name_server", "NetBIOS datagram server");
    layout(all, section, 46).number("netbios_over_tcpip_node_type", 8, "NetBIOS node type");
    layout(all, section, 47).text("netbios_over_tcpip_scope", "NetBIOS scope");
    addresses(all, section, 48, "xwindows_system_font_server", "X font server");
    addresses(all, section, 49, "xwindows_system_display_manager", "X display manager");
    layout(all, section, 64).text("nis_plus_domain", "NIS+ domain");
    addresses(all, section, 65, "nis_plus_server", "NIS+ server");
    addresses(all, section, 68, "mobile_ip_home_agent", "Mobile IP home agent");
    addresses(all, section, 69, "smtp_server", "SMTP server");
    addresses(all, section, 70, "pop3_server", "POP3 server");
    addresses(all, section, 71, "nntp_server", "NNTP server");
    addresses(all, section, 72, "default_www_server", "WWW server");
    addresses(all, section, 73, "default_finger_server", "Finger server");
    addresses(all, section, 74, "default_irc_server", "IRC server");
    addresses(all, section, 75, "streettalk_server", "StreetTalk server");
    addresses(all, section, 76, "streettalk_da_server", "StreetTalk directory server");
  }

  private static void extensions(Map<Integer, ValueLayout> all) {
    String section = "RFC 2132, section 9";
    layout(all, section, 50).number("requested_ip_address", 32, IPV4, "Requested address");
    layout(all, section, 51).number("ip_address_lease_time", 32, "Lease time in s");
    layout(all, section, 53).number("dhcp", 8, "Message type", MESSAGES);
    layout(all, section, 54).number("dhcp_server_id", 32, IPV4, "Server identifier");
    layout(all, section, 55).number("request_list_item", 8, "Requested option").repeated();
    layout(all, section, 56).text("message", "Message");
    layout(all, section, 57).number("dhcp_max_message_size", 16, "Largest message");
    layout(all, section, 58).number("renewal_time_value", 32, "Renewal time in s");
    layout(all, section, 59).number("rebinding_time_value", 32, "Rebinding time in s");
    layout(all, section, 60).text("vendor_class_id", "Vendor class");
    layout(all, section, 66).text("tftp_server_name", "TFTP server");
    layout(all, section, 67).text("bootfile_name", "Boot file");
  }

  private static void further(Map<Integer, ValueLayout> all) {
    layout(all, "RFC 4388, section 6.1", 91)
        .number("client_last_transaction_time", 32, "Client's last transaction in s");
    addresses(all, "RFC 4388, section 6.1", 92, "associated_ip_option", "Associated address");
    layout(all, "RFC 4578, section 2.1", 93)
        .number("client_system_architecture", 16, "Client's architecture")
        .repeated();
    layout(all, "RFC 4833, section 2", 100).text("tz_pcode", "Time zone, POSIX");
    layout(all, "RFC 4833, section 2", 101).text("tz_tcode", "Time zone");
    layout(all, "RFC 8910, section 2.1", 114).text("captive_portal", "Captive portal");
    layout(all, "RFC 2563, section 2", 116)
        .number("dhcp_auto_configuration", 8, "Autoconfiguration");
    layout(all, "RFC 3011, section 2", 118)
        .number("subnet_selection_option", 32, IPV4, "Subnet selection");
    addresses(all, "RFC 5192, section 4", 136, "pana_agent", "PANA agent");
    addresses(all, "RFC 5417, section 3", 138, "capwap_access_controller", "Access controller");
    addresses(all, "RFC 5859, section 3", 150, "tftp_server_address", "TFTP server");
    layout(all, "RFC 8520, section 10.1", 161).text("mudurl", "Usage description");
    layout(all, "RFC 5071, section 5", 209).text("pxe_config_file", "Configuration file");
    layout(all, "RFC 5071, section 6", 210).text("pxe_path_prefix", "Path prefix");
    layout(all, "no document", 252).text("private_proxy_autodiscovery", "Proxy configuration");
  }

  /** What the option for it says is used for options instead: 1 the file, 2 the server's name. */
  static int overload(Dissection dissection, int offset) {
    int at = offset - dissection.offset();
    while (at >= 0 && dissection.has(at + HEADER_BYTES + 1)) {
      int type = dissection.u8(at);
      if (type == OVERLOAD_TYPE) {
        return dissection.u8(at + HEADER_BYTES);
      }
      if (type == END_TYPE) {
        return 0;
      }
      at += type == 0 ? 1 : HEADER_BYTES + dissection.u8(at + 1);
    }
    return 0;
  }

  /** Says what the options are, from the cursor to the end. */
  static void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      if (type == 0) {
        padding(dissection);
      } else if (type == END_TYPE) {
        end(dissection);
      } else {
        option(dissection, type);
      }
    }
  }

  private static void padding(Dissection dissection) {
    int count = 1;
    while (dissection.has(count + 1) && dissection.u8(count) == 0) {
      count++;
    }
    dissection.value(TYPE, 0, 0, 1);
    dissection.add(PADDING, count);
  }

  /** The type of the end is told as 0, as tshark has it. */
  private static void end(Dissection dissection) {
    dissection.value(TYPE, 0, 0, 1);
    dissection.add(END);
    if (dissection.left() > 0) {
      dissection.add(PADDING, dissection.left());
    }
  }

  private static void option(Dissection dissection, int type) {
    int bytes = dissection.u8(1);
    if (dissection.left() == 0) {
      return;
    }
    dissection.open(OPTION, HEADER_BYTES + bytes);
    dissection.add(TYPE);
    dissection.add(LENGTH);
    dissection.bytes(VALUE, 0, bytes);
    int before = dissection.enter(bytes);
    int overload = type == OVERLOAD_TYPE && bytes == 1 ? (int) dissection.add(OVERLOAD) : 0;
    value(dissection, type);
    dissection.leave(before);
    overloaded(dissection, overload);
    dissection.close();
  }

  private static void value(Dissection dissection, int type) {
    ValueLayout layout = LAYOUTS.find(type);
    if (layout == null) {
      DhcpCompositeOptions.dissect(dissection, type);
    } else if (dissection.left() > 0 && layout.accepts(dissection.left())) {
      layout.dissect(dissection);
    }
  }

  /** The options in the place of the server's name and of the file; the cursor stays. */
  private static void overloaded(Dissection dissection, int overload) {
    int back = dissection.offset();
    if ((overload & 2) != 0) {
      elsewhere(dissection, DhcpProtocol.SERVER_NAME_OFFSET, DhcpProtocol.SERVER_NAME_BYTES);
    }
    if ((overload & 1) != 0) {
      elsewhere(dissection, DhcpProtocol.FILE_OFFSET, DhcpProtocol.FILE_BYTES);
    }
    dissection.offset(back);
  }

  private static void elsewhere(Dissection dissection, int offset, int bytes) {
    dissection.offset(offset);
    int before = dissection.enter(bytes);
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      if (type == 0) {
        padding(dissection);
      } else if (type == END_TYPE || type == OVERLOAD_TYPE) {
        end(dissection);
      } else {
        option(dissection, type);
      }
    }
    dissection.leave(before);
  }
}
