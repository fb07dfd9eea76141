package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.MAC;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.ValueNames;
import java.util.List;

/** DHCP, and BOOTP that it extends. */
public final class DhcpProtocol implements Protocol {
  public static final Fields DHCP =
      Fields.of("dhcp", "Dynamic Host Configuration Protocol", "RFC 2131, section 2");
  public static final Field OPERATION =
      DHCP.field("dhcp.type", 8, DECIMAL, "Operation", ValueNames.from0("", "request", "reply"));
  public static final Field HARDWARE_TYPE = DHCP.field("dhcp.hw.type", 8, HEX, "Hardware type");
  public static final Field HARDWARE_LENGTH =
      DHCP.field("dhcp.hw.len", 8, DECIMAL, "Hardware address length");
  public static final Field HOPS = DHCP.field("dhcp.hops", 8, DECIMAL, "Hops");
  public static final Field TRANSACTION = DHCP.field("dhcp.id", 32, HEX, "Transaction");
  public static final Field SECONDS = DHCP.field("dhcp.secs", 16, DECIMAL, "Seconds elapsed");
  public static final Field FLAGS = DHCP.field("dhcp.flags", 16, HEX, "Flags");
  public static final Field BROADCAST = DHCP.part("dhcp.flags.bc", 80, 1, 16, FLAG, "Broadcast");
  public static final Field RESERVED =
      DHCP.part("dhcp.flags.reserved", 81, 15, 16, HEX, "Reserved");
  public static final Field CLIENT = DHCP.field("dhcp.ip.client", 32, IPV4, "Client's address");
  public static final Field YOURS = DHCP.field("dhcp.ip.your", 32, IPV4, "Your address");
  public static final Field SERVER = DHCP.field("dhcp.ip.server", 32, IPV4, "Next server");
  public static final Field RELAY = DHCP.field("dhcp.ip.relay", 32, IPV4, "Relay agent");
  public static final Field MAC_ADDRESS =
      DHCP.floating("dhcp.hw.mac_addr", 48, MAC, "Client's MAC address");
  public static final Field HARDWARE_ADDRESS =
      DHCP.floating("dhcp.hw.addr", 0, BYTES, "Client's hardware address");
  public static final Field ADDRESS_PADDING =
      DHCP.floating("dhcp.hw.addr_padding", 0, BYTES, "Behind the address");
  public static final Field SERVER_NAME = DHCP.floating("dhcp.server", 0, TEXT, "Server's name");
  public static final Field FILE = DHCP.floating("dhcp.file", 0, TEXT, "Boot file");
  public static final Field COOKIE = DHCP.floating("dhcp.cookie", 32, IPV4, "Magic cookie");
  public static final Field VENDOR =
      DHCP.source("RFC 951, section 3")
          .floating("dhcp.vendor_specific_options", 0, BYTES, "Vendor's area");

  static final int SERVER_NAME_BYTES = 64;
  static final int FILE_BYTES = 128;
  static final int SERVER_NAME_OFFSET = 44;
  static final int FILE_OFFSET = SERVER_NAME_OFFSET + SERVER_NAME_BYTES;

  private static final int HEADER_BYTES = 28;
  private static final int ADDRESS_BYTES = 16;
  private static final int COOKIE_OFFSET = FILE_OFFSET + FILE_BYTES;
  private static final int COOKIE_BYTES = 4;
  private static final int VENDOR_BYTES = 64;
  private static final long MAGIC = 0x6382_5363L;
  private static final int ETHERNET = 1;

  static {
    DhcpOptions.declare();
    DHCP.summary(
        "dhcp.option.dhcp",
        "client=|dhcp.hw.mac_addr",
        "your=|dhcp.ip.your",
        "requested=|dhcp.option.requested_ip_address",
        "server=|dhcp.option.dhcp_server_id",
        "host=|dhcp.option.hostname",
        "id=|dhcp.id");
  }

  @Override
  public Fields fields() {
    return DHCP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.UDP_PORT.key(67),
        DispatchTable.UDP_PORT.key(68),
        DispatchTable.UDP_PORT.key(4011));
  }

  @Override
  public void dissect(Dissection dissection) {
    dissection.fixed();
    if (dissection.offset() < HEADER_BYTES || dissection.left() < ADDRESS_BYTES) {
      dissection.skip(ADDRESS_BYTES);
      return;
    }
    address(dissection);
    int overload = DhcpOptions.overload(dissection, COOKIE_OFFSET + COOKIE_BYTES);
    name(dissection, SERVER_NAME, SERVER_NAME_BYTES, (overload & 2) != 0);
    name(dissection, FILE, FILE_BYTES, (overload & 1) != 0);
    if (!dissection.expectsMore() || !isDhcp(dissection)) {
      return;
    }
    dissection.add(COOKIE);
    DhcpOptions.dissect(dissection);
  }

  private static boolean isDhcp(Dissection dissection) {
    if (dissection.has(COOKIE_BYTES) && dissection.u32(0) == MAGIC) {
      return true;
    }
    dissection.add(VENDOR, VENDOR_BYTES);
    return false;
  }

  private static void address(Dissection dissection) {
    long type = dissection.layer().value(HARDWARE_TYPE);
    int bytes = Math.min((int) dissection.layer().value(HARDWARE_LENGTH), ADDRESS_BYTES);
    if (type == ETHERNET && bytes == MAC_ADDRESS.bits() / Byte.SIZE) {
      dissection.add(MAC_ADDRESS);
    } else if (bytes > 0) {
      dissection.add(HARDWARE_ADDRESS, bytes);
    }
    if (bytes < ADDRESS_BYTES) {
      dissection.add(ADDRESS_PADDING, ADDRESS_BYTES - bytes);
    }
  }

  private static void name(Dissection dissection, Field field, int bytes, boolean isOverloaded) {
    if (isOverloaded) {
      dissection.skip(bytes);
    } else {
      dissection.add(field, bytes);
    }
  }
}
