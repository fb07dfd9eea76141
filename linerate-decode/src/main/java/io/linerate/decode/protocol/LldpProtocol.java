package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.OID;
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

/** What a station tells its neighbours of itself, in elements with a type and a length. */
public final class LldpProtocol implements Protocol {
  public static final Fields LLDP =
      Fields.of("lldp", "Link Layer Discovery Protocol", "IEEE 802.1AB, clause 8");
  private static final Parts HEADER =
      LLDP.parts(16)
          .part(
              "lldp.tlv.type",
              7,
              DECIMAL,
              "Type",
              ValueNames.from0(
                  "End",
                  "Chassis",
                  "Port",
                  "Time to live",
                  "Port description",
                  "System name",
                  "System description",
                  "System capabilities",
                  "Management address"))
          .part("lldp.tlv.len", 9, DECIMAL, "Length");
  public static final Field CHASSIS_SUBTYPE =
      LLDP.floating(
          "lldp.chassis.subtype",
          8,
          DECIMAL,
          "Kind of the chassis identifier",
          ValueNames.from0(
              "",
              "Chassis component",
              "Interface alias",
              "Port component",
              "MAC address",
              "Network address",
              "Interface name",
              "Local"));
  public static final Field CHASSIS = LLDP.floating("lldp.chassis.id", 0, BYTES, "Chassis");
  public static final Field CHASSIS_MAC = LLDP.floating("lldp.chassis.id.mac", 48, MAC, "Chassis");
  public static final Field CHASSIS_IPV4 =
      LLDP.floating("lldp.chassis.id.ip4", 32, IPV4, "Chassis");
  public static final Field CHASSIS_IPV6 =
      LLDP.floating("lldp.chassis.id.ip6", 128, IPV6, "Chassis");
  public static final Field PORT_SUBTYPE =
      LLDP.floating(
          "lldp.port.subtype",
          8,
          DECIMAL,
          "Kind of the port identifier",
          ValueNames.from0(
              "",
              "Interface alias",
              "Port component",
              "MAC address",
              "Network address",
              "Interface name",
              "Agent circuit",
              "Local"));
  public static final Field PORT = LLDP.floating("lldp.port.id", 0, TEXT, "Port");
  public static final Field PORT_MAC = LLDP.floating("lldp.port.id.mac", 48, MAC, "Port");
  public static final Field PORT_IPV4 = LLDP.floating("lldp.port.id.ip4", 32, IPV4, "Port");
  public static final Field PORT_IPV6 = LLDP.floating("lldp.port.id.ip6", 128, IPV6, "Port");
  public static final Field ADDRESS_FAMILY =
      LLDP.floating("lldp.network_address.subtype", 8, DECIMAL, "Address family");
  public static final Field TIME_TO_LIVE =
      LLDP.floating("lldp.time_to_live", 16, DECIMAL, "Time to live in s");
  public static final Field PORT_DESCRIPTION =
      LLDP.floating("lldp.port.desc", 0, TEXT, "Port description");
  public static final Field SYSTEM_NAME =
      LLDP.floating("lldp.tlv.system.name", 0, TEXT, "System name");
  public static final Field SYSTEM_DESCRIPTION =
      LLDP.floating("lldp.tlv.system.desc", 0, TEXT, "System description");
  private static final Parts CAPABILITIES = capabilities("lldp.tlv.system_cap", "Capabilities");
  private static final Parts ENABLED = capabilities("lldp.tlv.enable_system_cap", "Enabled");
  public static final Field MANAGEMENT_LENGTH =
      LLDP.floating("lldp.mgn.address.len", 8, DECIMAL, "Length of the management address");
  public static final Field MANAGEMENT_FAMILY =
      LLDP.floating("lldp.mgn.address.subtype", 8, DECIMAL, "Family of the management address");
  public static final Field MANAGEMENT_IPV4 =
      LLDP.floating("lldp.mgn.addr.ip4", 32, IPV4, "Management address");
  public static final Field MANAGEMENT_IPV6 =
      LLDP.floating("lldp.mgn.addr.ip6", 128, IPV6, "Management address");
  public static final Field MANAGEMENT_ADDRESS =
      LLDP.floating("lldp.mgn.addr.hex", 0, BYTES, "Management address");
  public static final Field INTERFACE_SUBTYPE =
      LLDP.floating("lldp.mgn.interface.subtype", 8, DECIMAL, "Kind of the interface number");
  public static final Field INTERFACE =
      LLDP.floating("lldp.mgn.interface.number", 32, DECIMAL, "Interface number");
  public static final Field OBJECT_LENGTH =
      LLDP.floating("lldp.mgn.obj.len", 8, DECIMAL, "Length of the object identifier");
  public static final Field OBJECT = LLDP.floating("lldp.mgn.obj.id", 0, OID, "Object");
  public static final Field ORGANISATION =
      LLDP.floating("lldp.orgtlv.oui", 24, DECIMAL, "Organisation");
  public static final Field SUBTYPE = LLDP.floating("lldp.unknown_subtype", 8, DECIMAL, "Subtype");
  public static final Field CONTENT =
      LLDP.floating("lldp.unknown_subtype.content", 0, BYTES, "Content");
  private static final LldpPriorities PRIORITIES = new LldpPriorities(LLDP);
  private static final LldpBridging BRIDGING = new LldpBridging(LLDP, PRIORITIES);
  private static final LldpEthernet ETHERNET = new LldpEthernet(LLDP);
  private static final LldpMedia MEDIA = new LldpMedia(LLDP);
  private static final LldpExchange EXCHANGE = new LldpExchange(LLDP, PRIORITIES);
  public static final Field IANA_SUBTYPE =
      LLDP.source("RFC 8520, section 11").floating("lldp.iana.subtype", 8, HEX, "Subtype");
  public static final Field USAGE =
      LLDP.floating("lldp.iana.mudurl", 0, TEXT, "URL of the usage description");

  private static final int HEADER_BYTES = 2;
  private static final int LENGTH_MASK = 0x1FF;
  private static final int FAMILY_IPV4 = 1;
  private static final int FAMILY_IPV6 = 2;

  private static Parts capabilities(String name, String label) {
    return LLDP.source("IEEE 802.1AB, clause 8.5.8")
        .parts(name, 16, HEX, label)
        .skip(8)
        .flag(name + ".station_only", "Station only")
        .flag(name + ".docsis_cable_device", "DOCSIS cable device")
        .flag(name + ".telephone", "Telephone")
        .flag(name + ".router", "Router")
        .flag(name + ".wlan_access_pt", "Wireless access point")
        .flag(name + ".bridge", "Bridge")
        .flag(name + ".repeater", "Repeater")
        .flag(name + ".other", "Other");
  }

  static {
    LLDP.summary(PORT, TIME_TO_LIVE, SYSTEM_NAME);
  }

  @Override
  public Fields fields() {
    return LLDP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.ETHER_TYPE.key(EtherType.LLDP));
  }

  @Override
  public void scan(Scan scan) {
    int at = 0;
    while (scan.isSound()) { // If not, the end is not there.
      int header = scan.u16(at);
      at += HEADER_BYTES + (header & LENGTH_MASK);
      if (header >>> 9 == 0 && scan.isSound()) {
        scan.total(at);
        return;
      }
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    while (dissection.left() >= HEADER_BYTES) {
      int header = (int) dissection.add(HEADER);
      int type = header >>> 9;
      int before = dissection.enter(header & LENGTH_MASK);
      element(dissection, type);
      dissection.leave(before);
      if (type == 0) {
        return;
      }
    }
  }

  private static void element(Dissection dissection, int type) {
    switch (type) {
      case 1 -> chassis(dissection, (int) dissection.add(CHASSIS_SUBTYPE));
      case 2 -> port(dissection, (int) dissection.add(PORT_SUBTYPE));
      case 3 -> dissection.add(TIME_TO_LIVE);
      case 4 -> dissection.addLeft(PORT_DESCRIPTION);
      case 5 -> dissection.addLeft(SYSTEM_NAME);
      case 6 -> dissection.addLeft(SYSTEM_DESCRIPTION);
      case 7 -> {
        dissection.add(CAPABILITIES);
        dissection.add(ENABLED);
      }
      case 8 -> management(dissection);
      case 127 -> organisation(dissection, (int) dissection.add(ORGANISATION));
      default -> {}
    }
  }

  private static void chassis(Dissection dissection, int subtype) {
    switch (subtype) {
      case 4 -> address(dissection, CHASSIS_MAC);
      case 5 -> network(dissection, CHASSIS_IPV4, CHASSIS_IPV6, CHASSIS);
      default -> dissection.addLeft(CHASSIS);
    }
  }

  private static void port(Dissection dissection, int subtype) {
    switch (subtype) {
      case 3 -> address(dissection, PORT_MAC);
      case 4 -> network(dissection, PORT_IPV4, PORT_IPV6, PORT);
      default -> dissection.addLeft(PORT);
    }
  }

  /** An address has nothing behind it. */
  private static void address(Dissection dissection, Field field) {
    dissection.add(field);
    if (dissection.left() > 0) {
      dissection.malformed();
    }
  }

  private static void network(Dissection dissection, Field ipv4, Field ipv6, Field other) {
    switch ((int) dissection.add(ADDRESS_FAMILY)) {
      case FAMILY_IPV4 -> address(dissection, ipv4);
      case FAMILY_IPV6 -> address(dissection, ipv6);
      default -> dissection.addLeft(other);
    }
  }

  private static void management(Dissection dissection) {
    int length = (int) dissection.add(MANAGEMENT_LENGTH);
    int before = dissection.enter(length);
    switch ((int) dissection.add(MANAGEMENT_FAMILY)) {
      case FAMILY_IPV4 -> dissection.add(MANAGEMENT_IPV4);
      case FAMILY_IPV6 -> dissection.add(MANAGEMENT_IPV6);
      default -> dissection.addLeft(MANAGEMENT_ADDRESS);
    }
    dissection.leave(before);
    dissection.add(INTERFACE_SUBTYPE);
    dissection.add(INTERFACE);
    int objectBytes = (int) dissection.add(OBJECT_LENGTH);
    if (objectBytes > 0) {
      dissection.add(OBJECT, objectBytes);
    }
  }

  private static void organisation(Dissection dissection, int organisation) {
    switch (organisation) {
      case 0x0080C2 -> BRIDGING.dissect(dissection);
      case 0x00120F -> ETHERNET.dissect(dissection);
      case 0x0012BB -> MEDIA.dissect(dissection);
      case 0x001B21 -> EXCHANGE.dissect(dissection);
      case 0x00005E -> {
        dissection.add(IANA_SUBTYPE);
        dissection.addLeft(USAGE);
      }
      default -> {
        dissection.add(SUBTYPE);
        dissection.addLeft(CONTENT);
      }
    }
  }
}
