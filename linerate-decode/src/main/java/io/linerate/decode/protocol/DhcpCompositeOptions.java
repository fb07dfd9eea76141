package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.Kind.UUID;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;

/** The options of DHCP that are more than a row of fields. */
final class DhcpCompositeOptions {
  private static final Fields DHCP = DhcpProtocol.DHCP;

  private static final Field CLIENT_TYPE =
      DHCP.source("RFC 2132, section 9.14").floating("dhcp.client_id.type", 8, DECIMAL, "Type");
  private static final Field CLIENT_TEXT =
      DHCP.floating("dhcp.client_id.undef", 0, TEXT, "Client identifier");
  private static final Field CLIENT_BYTES =
      DHCP.floating("dhcp.client_id", 0, BYTES, "Client identifier");
  private static final Field ASSOCIATION =
      DHCP.source("RFC 4361, section 6.1")
          .floating("dhcp.client_id.iaid", 0, TEXT, "Identity association");
  private static final Field DUID_TYPE =
      DHCP.floating("dhcp.client_id.duid_type", 16, DECIMAL, "Unique identifier's type");
  private static final Field DUID_HARDWARE_AND_TIME =
      DHCP.floating("dhcp.client_id.duid_llt_hw_type", 16, DECIMAL, "Hardware type");
  private static final Field DUID_HARDWARE =
      DHCP.floating("dhcp.client_id.duid_ll_hw_type", 16, DECIMAL, "Hardware type");
  private static final Field DUID_TIME =
      DHCP.floating("dhcp.client_id.time", 32, DECIMAL, "Time in s");
  private static final Field DUID_ADDRESS =
      DHCP.floating("dhcp.client_id.link_layer_address", 0, TEXT, "Link-layer address");
  private static final Field DUID_ENTERPRISE =
      DHCP.floating("dhcp.client_id.enterprise_num", 32, DECIMAL, "Enterprise");

  private static final Field USER_CLASS =
      DHCP.source("RFC 3004, section 4").floating("dhcp.option.user_class", 8, DECIMAL, "Instance");
  private static final Field USER_CLASS_LENGTH =
      DHCP.floating("dhcp.option.user_class.length", 8, DECIMAL, "Length");
  private static final Field USER_CLASS_DATA =
      DHCP.floating("dhcp.option.user_class.data", 0, BYTES, "User class");

  private static final Field NAME_FLAGS =
      DHCP.source("RFC 4702, section 2.1").floating("dhcp.fqdn.flags", 8, HEX, "Flags");
  private static final Field NAME_RESERVED = DHCP.floating("dhcp.fqdn.mbz", 8, HEX, "Reserved");
  private static final Field NAME_NO_UPDATE =
      DHCP.floating("dhcp.fqdn.n", 1, FLAG, "Server does no update");
  private static final Field NAME_ENCODED = DHCP.floating("dhcp.fqdn.e", 1, FLAG, "Encoding");
  private static final Field NAME_OVERRIDE =
      DHCP.floating("dhcp.fqdn.o", 1, FLAG, "Server overrides");
  private static final Field NAME_SERVER = DHCP.floating("dhcp.fqdn.s", 1, FLAG, "Server updates");
  private static final Field NAME_CODE1 = DHCP.floating("dhcp.fqdn.rcode1", 8, DECIMAL, "A result");
  private static final Field NAME_CODE2 =
      DHCP.floating("dhcp.fqdn.rcode2", 8, DECIMAL, "PTR result");
  private static final Field NAME = DHCP.floating("dhcp.fqdn.name", 0, TEXT, "Name");

  private static final Field AUTHENTICATION =
      DHCP.source("RFC 3118, section 2")
          .floating("dhcp.option.dhcp_authentication.protocol", 8, DECIMAL, "Protocol");
  private static final Field AUTHENTICATION_DELAY =
      DHCP.floating("dhcp.option.dhcp_authentication.alg_delay", 8, DECIMAL, "Algorithm");
  private static final Field AUTHENTICATION_ALGORITHM =
      DHCP.floating("dhcp.option.dhcp_authentication.algorithm", 8, DECIMAL, "Algorithm");
  private static final Field REPLAY_METHOD =
      DHCP.floating("dhcp.option.dhcp_authentication.rdm", 8, DECIMAL, "Replay detection method");
  private static final Field REPLAY_COUNTER =
      DHCP.floating(
          "dhcp.option.dhcp_authentication.rdm_replay_detection", 64, HEX, "Replay detection");
  private static final Field SECRET =
      DHCP.floating("dhcp.option.dhcp_authentication.secret_id", 32, HEX, "Secret identifier");
  private static final Field HASH =
      DHCP.floating("dhcp.option.dhcp_authentication.hmac_md5_hash", 128, BYTES, "Hash");
  private static final Field AUTHENTICATION_TEXT =
      DHCP.floating("dhcp.option.dhcp_authentication.information", 0, TEXT, "Information");

  private static final Field INTERFACE_MAJOR =
      DHCP.source("RFC 4578, section 2.2")
          .floating("dhcp.client_network_id_major", 8, DECIMAL, "Major version");
  private static final Field INTERFACE_MINOR =
      DHCP.floating("dhcp.client_network_id_minor", 8, DECIMAL, "Minor version");

  private static final Field SEARCH_NAME =
      DHCP.source("RFC 3397, section 2")
          .floating("dhcp.option.dhcp_dns_domain_search_list_fqdn", 0, TEXT, "Search domain");
  private static final Field SIP_ENCODING =
      DHCP.source("RFC 3361, section 3")
          .floating("dhcp.option.sip_server.encoding", 8, DECIMAL, "Encoding");
  private static final Field SIP_NAME =
      DHCP.floating("dhcp.option.sip_server.name", 0, TEXT, "SIP server");
  private static final Field SIP_ADDRESS =
      DHCP.floating("dhcp.option.sip_server.address", 32, IPV4, "SIP server");
  private static final Field ROUTE =
      DHCP.source("RFC 3442")
          .floating("dhcp.option.classless_static_route", 0, BYTES, "Classless route");

  private static final Field CLASS_ENTERPRISE =
      DHCP.source("RFC 3925, section 3")
          .floating("dhcp.option.vi_class.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field CLASS_LENGTH =
      DHCP.floating("dhcp.option.vi_class.length", 8, DECIMAL, "Length");
  private static final Field CLASS_DATA =
      DHCP.floating("dhcp.option.vi_class.data", 0, TEXT, "Vendor class");
  private static final Field VENDOR_ENTERPRISE =
      DHCP.source("RFC 3925, section 4")
          .floating("dhcp.option.vi.enterprise", 32, DECIMAL, "Enterprise");
  private static final Field VENDOR_LENGTH =
      DHCP.floating("dhcp.option.vi.length", 8, DECIMAL, "Length");
  private static final Field VENDOR_TYPE =
      DHCP.floating("dhcp.vendor.suboption", 8, DECIMAL, "Suboption");
  private static final Field VENDOR_VALUE = DHCP.floating("dhcp.vendor.data", 0, BYTES, "Value");

  private static final Field CLIENT_UUID =
      DHCP.source("RFC 4578, section 2.3")
          .littleEndian()
          .floating("dhcp.client_id.uuid", 128, UUID, "Client's machine");

  private static final int MOST_HARDWARE_TYPES = 48;

  private DhcpCompositeOptions() {}

  /** Has the fields declared, with those of the protocol. */
  static void declare() {}

  /** Says what the value of an option is, which is all that is left. */
  static void dissect(Dissection dissection, int type) {
    switch (type) {
      case 61 -> client(dissection);
      case 77 -> userClasses(dissection);
      case 81 -> name(dissection);
      case 82 -> DhcpAgentInformation.dissect(dissection);
      case 90 -> authentication(dissection);
      case 94 -> {
        dissection.skip(1);
        dissection.add(INTERFACE_MAJOR);
        dissection.add(INTERFACE_MINOR);
      }
      case 97 -> machine(dissection);
      case 119 -> search(dissection);
      case 120 -> sip(dissection);
      case 121, 249 -> routes(dissection);
      case 124 -> vendorClasses(dissection);
      case 125 -> vendors(dissection);
      default -> {}
    }
  }

  private static void client(Dissection dissection) {
    int bytes = dissection.left();
    int first = bytes == 0 ? 0 : dissection.u8(0);
    if (bytes == 7 && first > 0 && first <= MOST_HARDWARE_TYPES) {
      dissection.add(DhcpProtocol.HARDWARE_TYPE, 1);
      dissection.add(DhcpProtocol.MAC_ADDRESS);
    } else if (bytes == 17 && first == 0) {
      machine(dissection);
    } else if (first == 255 && bytes > 6) {
      association(dissection);
    } else if (bytes > 1) {
      dissection.add(CLIENT_TYPE);
      dissection.add(first == 0 ? CLIENT_TEXT : CLIENT_BYTES, bytes - 1);
    }
  }

  private static void machine(Dissection dissection) {
    if (dissection.left() == 17) {
      dissection.skip(1);
      dissection.add(CLIENT_UUID);
    }
  }

  private static void association(Dissection dissection) {
    dissection.skip(1);
    dissection.text(ASSOCIATION, TextBytes.hex(dissection, 4, ""), 0, 4);
    dissection.skip(4);
    int type = (int) dissection.add(DUID_TYPE);
    switch (type) {
      case 1 -> {
        dissection.add(DUID_HARDWARE_AND_TIME);
        dissection.add(DUID_TIME);
        address(dissection);
      }
      case 2 -> {
        dissection.add(DUID_ENTERPRISE);
        dissection.add(CLIENT_BYTES, dissection.left());
      }
      case 3 -> {
        dissection.add(DUID_HARDWARE);
        address(dissection);
      }
      default -> {}
    }
  }

  private static void address(Dissection dissection) {
    int bytes = dissection.left();
    if (bytes > 0) {
      dissection.text(DUID_ADDRESS, TextBytes.hex(dissection, bytes, ":"), 0, bytes);
      dissection.skip(bytes);
    }
  }

  private static void userClasses(Dissection dissection) {
    for (int instance = 0; dissection.left() > 0; instance++) {
      int bytes = dissection.u8(0);
      dissection.value(USER_CLASS, instance, 0, 1 + bytes);
      dissection.add(USER_CLASS_LENGTH);
      dissection.add(USER_CLASS_DATA, bytes);
    }
  }

  private static void name(Dissection dissection) {
    int flags = (int) dissection.add(NAME_FLAGS);
    dissection.value(NAME_RESERVED, flags & 0xF0, -1, 1);
    dissection.value(NAME_NO_UPDATE, (flags >>> 3) & 1, -1, 1);
    dissection.value(NAME_ENCODED, (flags >>> 2) & 1, -1, 1);
    dissection.value(NAME_OVERRIDE, (flags >>> 1) & 1, -1, 1);
    dissection.value(NAME_SERVER, flags & 1, -1, 1);
    dissection.add(NAME_CODE1);
    dissection.add(NAME_CODE2);
    if (dissection.left() == 0) {
      return;
    }
    if ((flags & 4) == 0) {
      dissection.add(NAME, dissection.left());
    } else {
      DnsName.add(dissection, NAME);
    }
  }

  private static void authentication(Dissection dissection) {
    boolean isDelayed = dissection.add(AUTHENTICATION) == 1;
    dissection.add(isDelayed ? AUTHENTICATION_DELAY : AUTHENTICATION_ALGORITHM);
    dissection.add(REPLAY_METHOD);
    dissection.add(REPLAY_COUNTER);
    if (isDelayed && dissection.left() > 0) {
      dissection.add(SECRET);
      dissection.add(HASH);
    } else if (dissection.left() > 0) {
      dissection.add(AUTHENTICATION_TEXT, dissection.left());
    }
  }

  private static void search(Dissection dissection) {
    int base = dissection.offset();
    while (dissection.left() > 0 && DnsName.add(dissection, SEARCH_NAME, base)) {
      // The next.
    }
  }

  private static void sip(Dissection dissection) {
    int encoding = (int) dissection.add(SIP_ENCODING);
    while (dissection.left() > 0) {
      if (encoding == 1) {
        dissection.add(SIP_ADDRESS);
      } else {
        DnsName.add(dissection, SIP_NAME);
      }
    }
  }

  private static void routes(Dissection dissection) {
    while (dissection.left() > 0) {
      int prefixBytes = (dissection.u8(0) + 7) / Byte.SIZE;
      dissection.add(ROUTE, 1 + prefixBytes + 4);
    }
  }

  private static void vendorClasses(Dissection dissection) {
    while (dissection.left() > 0) {
      dissection.add(CLASS_ENTERPRISE);
      dissection.add(CLASS_DATA, (int) dissection.add(CLASS_LENGTH));
    }
  }

  private static void vendors(Dissection dissection) {
    while (dissection.left() > 0) {
      dissection.add(VENDOR_ENTERPRISE);
      int before = dissection.enter((int) dissection.add(VENDOR_LENGTH));
      while (dissection.left() > 0) {
        dissection.add(VENDOR_TYPE);
        dissection.add(VENDOR_VALUE, (int) dissection.add(DhcpAgentInformation.LENGTH));
      }
      dissection.leave(before);
    }
  }
}
