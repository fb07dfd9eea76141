package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.NONE;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;
import java.util.HashMap;
import java.util.Map;

/** The options of DHCPv6, which may hold others; RFC 8415, section 21. */
final class Dhcpv6Options {
  private static final String PREFIX = "dhcpv6.";
  private static final Fields DHCPV6 = Dhcpv6Protocol.DHCPV6.source("RFC 8415, section 21.1");
  private static final Field OPTION = DHCPV6.floating("dhcpv6.option", 0, NONE, "Option");
  private static final Field TYPE = DHCPV6.floating("dhcpv6.option.type", 16, DECIMAL, "Type");
  private static final Field LENGTH =
      DHCPV6.floating("dhcpv6.option.length", 16, DECIMAL, "Length");
  private static final Field VALUE = DHCPV6.floating("dhcpv6.option.value", 0, BYTES, "Value");

  private static final Field ASSOCIATION =
      DHCPV6
          .source("RFC 8415, section 21.4")
          .floating("dhcpv6.iaid", 0, TEXT, "Identity association");
  private static final Field T1 = DHCPV6.floating("dhcpv6.iaid.t1", 32, DECIMAL, "T1 in s");
  private static final Field T2 = DHCPV6.floating("dhcpv6.iaid.t2", 32, DECIMAL, "T2 in s");
  private static final Field TEMPORARY_ASSOCIATION =
      DHCPV6
          .source("RFC 8415, section 21.5")
          .floating("dhcpv6.iata", 0, TEXT, "Identity association");
  private static final Field ADDRESS =
      DHCPV6.source("RFC 8415, section 21.6").floating("dhcpv6.iaaddr.ip", 128, IPV6, "Address");
  private static final Field PREFERRED =
      DHCPV6.floating("dhcpv6.iaaddr.pref_lifetime", 32, DECIMAL, "Preferred lifetime in s");
  private static final Field VALID =
      DHCPV6.floating("dhcpv6.iaaddr.valid_lifetime", 32, DECIMAL, "Valid lifetime in s");
  private static final Field PREFIX_PREFERRED =
      DHCPV6
          .source("RFC 8415, section 21.22")
          .floating("dhcpv6.iaprefix.pref_lifetime", 32, DECIMAL, "Preferred lifetime in s");
  private static final Field PREFIX_VALID =
      DHCPV6.floating("dhcpv6.iaprefix.valid_lifetime", 32, DECIMAL, "Valid lifetime in s");
  private static final Field PREFIX_LENGTH =
      DHCPV6.floating("dhcpv6.iaprefix.pref_len", 8, DECIMAL, "Prefix length");
  private static final Field PREFIX_ADDRESS =
      DHCPV6.floating("dhcpv6.iaprefix.pref_addr", 128, IPV6, "Prefix");
  private static final Field STATUS =
      DHCPV6
          .source("RFC 8415, section 21.13")
          .floating("dhcpv6.status_code", 16, DECIMAL, "Status");
  private static final Field STATUS_TEXT =
      DHCPV6.floating("dhcpv6.status_msg", 0, TEXT, "Status message");
  private static final Field QUERY =
      DHCPV6
          .source("RFC 5007, section 4.1.2.1")
          .floating("dhcpv6.lq_query", 8, DECIMAL, "Query type");
  private static final Field QUERY_LINK =
      DHCPV6.floating("dhcpv6.lq_query_link_address", 128, IPV6, "Link's address");
  private static final Field CLIENT_FLAGS =
      DHCPV6.source("RFC 4704, section 4.1").floating("dhcpv6.client_fqdn_flags", 8, HEX, "Flags");
  private static final Field CLIENT_NO_UPDATE =
      DHCPV6.floating("dhcpv6.clientfqdn.client.n", 1, FLAG, "Server does no update");
  private static final Field CLIENT_SERVER =
      DHCPV6.floating("dhcpv6.clientfqdn.client.s", 1, FLAG, "Server updates");
  private static final Field SERVER_NO_UPDATE =
      DHCPV6.floating("dhcpv6.clientfqdn.server.n", 1, FLAG, "Server does no update");
  private static final Field SERVER_OVERRIDE =
      DHCPV6.floating("dhcpv6.clientfqdn.server.o", 1, FLAG, "Server overrides");
  private static final Field SERVER_SERVER =
      DHCPV6.floating("dhcpv6.clientfqdn.server.s", 1, FLAG, "Server updates");
  private static final Field CLIENT_NAME =
      DHCPV6.floating("dhcpv6.client_domain", 0, TEXT, "Client's name");
  private static final Field NTP_TYPE =
      DHCPV6
          .source("RFC 5908, section 4")
          .floating(
              "dhcpv6.ntpserver.option.type",
              16,
              DECIMAL,
              "Type",
              ValueNames.from0("", "address", "multicast", "name"));
  private static final Field NTP_LENGTH =
      DHCPV6.floating("dhcpv6.ntpserver.option.length", 16, DECIMAL, "Length");
  private static final Field NTP_ADDRESS =
      DHCPV6.floating("dhcpv6.ntpserver.addr", 128, IPV6, "NTP server");
  private static final Field NTP_GROUP =
      DHCPV6.floating("dhcpv6.ntpserver.mc_addr", 128, IPV6, "NTP group");
  private static final Field NTP_NAME =
      DHCPV6.floating("dhcpv6.ntpserver.fqdn", 0, TEXT, "NTP server");

  private static final int HEADER_BYTES = 4;
  private static final int ADVERTISE = 2;
  private static final int REPLY = 7;

  private static final NumberedTable<Field> NAMES = names();
  private static final NumberedTable<ValueLayout> LAYOUTS = layouts();

  private Dhcpv6Options() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {
    Dhcpv6Identifier.declare();
  }

  private static NumberedTable<Field> names() {
    Map<Integer, Field> all = new HashMap<>();
    name(all, "RFC 3319, section 3.1", 21, "sip_server_domain_search_fqdn", "SIP server");
    name(all, "RFC 3646, section 4", 24, "search_list_entry", "Search domain");
    name(all, "RFC 3898, section 5", 29, "nis_fqdn", "NIS domain");
    name(all, "RFC 3898, section 6", 30, "nisp_fqdn", "NIS+ domain");
    name(all, "RFC 4280, section 4.1", 33, "bcmcs_server_fqdn", "Broadcast server");
    name(all, "RFC 6334, section 3", 64, "aftr_name", "Tunnel's end");
    return new NumberedTable<>(all);
  }

  private static void name(
      Map<Integer, Field> all, String section, int type, String name, String label) {
    all.put(type, DHCPV6.source(section).floating(PREFIX + name, 0, TEXT, label));
  }

  private static ValueLayout layout(Map<Integer, ValueLayout> all, String section, int type) {
    ValueLayout layout = new ValueLayout(DHCPV6.source(section), PREFIX);
    all.put(type, layout);
    return layout;
  }

  private static void addresses(
      Map<Integer, ValueLayout> all, String section, int type, String name, String label) {
    layout(all, section, type).number(name, 128, IPV6, label).repeated();
  }

  private static NumberedTable<ValueLayout> layouts() {
    Map<Integer, ValueLayout> all = new HashMap<>();
    base(all);
    further(all);
    return new NumberedTable<>(all);
  }

  private static void base(Map<Integer, ValueLayout> all) {
    layout(all, "RFC 8415, section 21.7", 6)
        .number("requested_option_code", 16, "Requested option")
        .repeated();
    layout(all, "RFC 8415, section 21.8", 7).number("option_preference", 8, "Preference");
    layout(all, "RFC 8415, section 21.9", 8).scaled("elapsed_time", 16, 10, "Time elapsed in ms");
    layout(all, "RFC 8415, section 21.11", 11)
        .number("auth.protocol", 8, "Protocol")
        .number("auth.algorithm", 8, "Algorithm")
        .number("auth.rdm", 8, "Replay detection method")
        .number("auth.replay_detection", 64, BYTES, "Replay detection")
        .optional()
        .rest("auth.info", "Information");
    layout(all, "RFC 8415, section 21.12", 12).number("unicast", 128, IPV6, "Server");
    layout(all, "RFC 8415, section 21.15", 15)
        .longBytes("userclass.length", "userclass.opaque_data", "User class")
        .repeated();
    layout(all, "RFC 8415, section 21.18", 18).rest("interface_id", "Interface");
    layout(all, "RFC 8415, section 21.19", 19).number("reconf_msg", 8, "Message type");
    layout(all, "RFC 8415, section 21.23", 32).number("lifetime", 32, "Refresh time in s");
  }

  private static void further(Map<Integer, ValueLayout> all) {
    addresses(all, "RFC 3319, section 3.2", 22, "sip_server_a", "SIP server");
    addresses(all, "RFC 3646, section 3", 23, "dns_server", "Domain name server");
    addresses(all, "RFC 3898, section 3", 27, "nis_server", "NIS server");
    addresses(all, "RFC 3898, section 4", 28, "nisp_server", "NIS+ server");
    addresses(all, "RFC 4075, section 4", 31, "sntp_server", "Time server");
    addresses(all, "RFC 4280, section 4.3", 34, "bcmcs_server_a", "Broadcast server");
    layout(all, "RFC 4649, section 3", 37)
        .number("remoteid.enterprise", 32, "Enterprise")
        .rest("remoteid_enterprise_id", "Remote");
    layout(all, "RFC 4580, section 2", 38).text("subscriber_id", "Subscriber");
    addresses(all, "RFC 5192, section 4", 40, "pana_agent", "PANA agent");
    layout(all, "RFC 4833, section 3", 41).text("timezone", "Time zone, POSIX");
    layout(all, "RFC 4833, section 3", 42).text("tzdb", "Time zone");
    layout(all, "RFC 5007, section 4.1.2.3", 46)
        .number("clt_time", 32, "Client's last transaction in s");
    addresses(all, "RFC 5007, section 4.1.2.5", 48, "lq_client_link", "Client's link");
    addresses(all, "RFC 5417, section 4", 52, "capwap_ac_v6", "Access controller");
    layout(all, "RFC 8910, section 2.2", 103).text("captive_portal", "Captive portal");
    layout(all, "RFC 8520, section 10.2", 112).text("mudurl", "Usage description");
    layout(all, "RFC 8357, section 5.2", 135).number("relay_port", 16, "Relay's port");
  }

  /**
   * Says what the options are, from the cursor to the end.
   *
   * @param message type of the message that they are in
   * @param depth how many others may be nested in them
   */
  static void dissect(Dissection dissection, int message, int depth) {
    while (dissection.left() > 0) {
      int type = dissection.u16(0);
      int bytes = dissection.u16(2);
      if (!dissection.has(HEADER_BYTES + bytes)) {
        dissection.skip(HEADER_BYTES + bytes);
        return;
      }
      dissection.open(OPTION, HEADER_BYTES + bytes);
      dissection.add(TYPE);
      dissection.add(LENGTH);
      int before = dissection.enter(bytes);
      value(dissection, type, message, depth - 1);
      dissection.leave(before);
      dissection.close();
    }
  }

  private static void value(Dissection dissection, int type, int message, int depth) {
    ValueLayout layout = LAYOUTS.find(type);
    Field name = NAMES.find(type);
    if (depth == 0) {
      dissection.malformed();
    } else if (name != null) {
      names(dissection, name);
    } else if (layout == null) {
      composite(dissection, type, message, depth);
    } else if (layout.accepts(dissection.left())) {
      layout.dissect(dissection);
    } else {
      dissection.malformed();
    }
  }

  private static void composite(Dissection dissection, int type, int message, int depth) {
    switch (type) {
      case 1, 2 -> Dhcpv6Identifier.dissect(dissection);
      case 3, 25 -> association(dissection, message, depth);
      case 4 -> temporary(dissection, message, depth);
      case 5 -> address(dissection, message, depth);
      case 9 -> Dhcpv6Protocol.message(dissection, depth);
      case 13 -> status(dissection);
      case 16 -> Dhcpv6Identifier.vendorClass(dissection);
      case 17 -> Dhcpv6Identifier.vendorOptions(dissection);
      case 26 -> prefix(dissection, message, depth);
      case 39 -> client(dissection, message);
      case 44 -> query(dissection, message, depth);
      case 45 -> dissect(dissection, message, depth);
      case 56 -> time(dissection);
      default -> dissection.add(VALUE, dissection.left());
    }
  }

  private static void text(Dissection dissection, Field field) {
    dissection.text(field, TextBytes.hex(dissection, 4, ""), 0, 4);
    dissection.skip(4);
  }

  /** Whether so many bytes are there; if not the layer is marked. */
  private static boolean isThere(Dissection dissection, int bytes) {
    if (!dissection.has(bytes)) {
      dissection.skip(bytes);
      return false;
    }
    return true;
  }

  private static void association(Dissection dissection, int message, int depth) {
    if (isThere(dissection, 12)) {
      text(dissection, ASSOCIATION);
      dissection.add(T1);
      dissection.add(T2);
      dissect(dissection, message, depth);
    }
  }

  private static void temporary(Dissection dissection, int message, int depth) {
    if (isThere(dissection, 4)) {
      text(dissection, TEMPORARY_ASSOCIATION);
      dissect(dissection, message, depth);
    }
  }

  private static void address(Dissection dissection, int message, int depth) {
    if (isThere(dissection, 24)) {
      dissection.add(ADDRESS);
      dissection.add(PREFERRED);
      dissection.add(VALID);
      dissect(dissection, message, depth);
    }
  }

  private static void prefix(Dissection dissection, int message, int depth) {
    if (isThere(dissection, 25)) {
      dissection.add(PREFIX_PREFERRED);
      dissection.add(PREFIX_VALID);
      dissection.add(PREFIX_LENGTH);
      dissection.add(PREFIX_ADDRESS);
      dissect(dissection, message, depth);
    }
  }

  private static void status(Dissection dissection) {
    dissection.add(STATUS);
    if (dissection.left() > 0) {
      dissection.add(STATUS_TEXT, dissection.left());
    }
  }

  private static void client(Dissection dissection, int message) {
    int flags = (int) dissection.add(CLIENT_FLAGS);
    if (message == ADVERTISE || message == REPLY) {
      dissection.value(SERVER_NO_UPDATE, (flags >>> 2) & 1, -1, 1);
      dissection.value(SERVER_OVERRIDE, (flags >>> 1) & 1, -1, 1);
      dissection.value(SERVER_SERVER, flags & 1, -1, 1);
    } else {
      dissection.value(CLIENT_NO_UPDATE, (flags >>> 2) & 1, -1, 1);
      dissection.value(CLIENT_SERVER, flags & 1, -1, 1);
    }
    names(dissection, CLIENT_NAME);
  }

  private static void query(Dissection dissection, int message, int depth) {
    dissection.add(QUERY);
    dissection.add(QUERY_LINK);
    dissect(dissection, message, depth);
  }

  private static void time(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = (int) dissection.add(NTP_TYPE);
      int before = dissection.enter((int) dissection.add(NTP_LENGTH));
      switch (type) {
        case 1 -> dissection.add(NTP_ADDRESS);
        case 2 -> dissection.add(NTP_GROUP);
        case 3 -> names(dissection, NTP_NAME);
        default -> dissection.add(VALUE, dissection.left());
      }
      dissection.leave(before);
    }
  }

  /** Names without pointers, one after the other; only the last may lack its end. */
  private static void names(Dissection dissection, Field field) {
    while (dissection.left() > 0) {
      StringBuilder text = dissection.text();
      int at = 0;
      int length = dissection.u8(0);
      while (length > 0 && dissection.has(at + 1 + length)) {
        TextBytes.addEscaped(text, dissection, at + 1, length);
        text.append('.');
        at += 1 + length;
        length = dissection.has(at + 1) ? dissection.u8(at) : 0;
      }
      boolean isWhole = dissection.has(at + 1);
      if (length > 0) {
        dissection.skip(at + 1 + length);
        return;
      }
      text.setLength(text.length() - (isWhole ? 0 : 1));
      dissection.text(field, text, 0, isWhole ? at + 1 : at);
      dissection.skip(isWhole ? at + 1 : at);
    }
  }
}
