package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import io.linerate.decode.ValueNames;
import io.linerate.wire.EtherType;
import java.util.List;
import java.util.Map;

/** ARP, RARP and what else asks for addresses in their format: Inverse ARP and DRARP. */
public final class ArpProtocol implements Protocol {
  public static final Fields ARP =
      Fields.of("arp", "Address Resolution Protocol", "RFC 826, Packet format");
  public static final Field HARDWARE_TYPE =
      ARP.field(
          "arp.hw.type",
          16,
          DECIMAL,
          "Hardware type",
          ValueNames.of(
              Map.of(
                  1, "Ethernet",
                  6, "IEEE 802",
                  7, "ARCNET",
                  15, "Frame Relay",
                  24, "IEEE 1394",
                  27, "EUI-64",
                  32, "InfiniBand")));
  public static final Field PROTOCOL_TYPE =
      ARP.field("arp.proto.type", 16, HEX, "Protocol type", NumberNames.ETHER_TYPES);
  public static final Field HARDWARE_SIZE =
      ARP.field("arp.hw.size", 8, DECIMAL, "Length of a hardware address");
  public static final Field PROTOCOL_SIZE =
      ARP.field("arp.proto.size", 8, DECIMAL, "Length of a protocol address");
  public static final Field OPERATION =
      ARP.field(
          "arp.opcode",
          16,
          DECIMAL,
          "Operation",
          ValueNames.from0(
              "Reserved",
              "Request",
              "Reply",
              "Reverse request",
              "Reverse reply",
              "DRARP request",
              "DRARP reply",
              "DRARP error",
              "Inverse request",
              "Inverse reply",
              "Nak"));
  public static final Field IS_GRATUITOUS =
      ARP.source("RFC 5944, section 4.6").floating("arp.isgratuitous", 8, FLAG, "Gratuitous");
  public static final Field IS_PROBE =
      ARP.source("RFC 5227, section 1.1").floating("arp.isprobe", 8, FLAG, "Probe");
  public static final Field IS_ANNOUNCEMENT =
      ARP.floating("arp.isannouncement", 8, FLAG, "Announcement");
  public static final Field SENDER_HARDWARE =
      ARP.source("RFC 826, Packet format")
          .floating("arp.src.hw", 0, BYTES, "Hardware address of the sender");
  public static final Field SENDER_MAC =
      ARP.floating("arp.src.hw_mac", 48, MAC, "MAC address of the sender");
  public static final Field SENDER_PROTOCOL =
      ARP.floating("arp.src.proto", 0, BYTES, "Protocol address of the sender");
  public static final Field SENDER_IP =
      ARP.floating("arp.src.proto_ipv4", 32, IPV4, "IPv4 address of the sender");
  public static final Field TARGET_HARDWARE =
      ARP.floating("arp.dst.hw", 0, BYTES, "Hardware address of the target");
  public static final Field TARGET_MAC =
      ARP.floating("arp.dst.hw_mac", 48, MAC, "MAC address of the target");
  public static final Field TARGET_PROTOCOL =
      ARP.floating("arp.dst.proto", 0, BYTES, "Protocol address of the target");
  public static final Field TARGET_IP =
      ARP.floating("arp.dst.proto_ipv4", 32, IPV4, "IPv4 address of the target");
  public static final Field ERROR =
      ARP.source("RFC 1931, section 3").floating("arp.dst.drarp_error_status", 8, DECIMAL, "Error");

  private static final int HEADER_BYTES = 8;
  private static final int ETHERNET = 1;
  private static final int IEEE_802 = 6;
  private static final int MAC_BYTES = 6;
  private static final int IP_BYTES = 4;
  private static final int REQUEST = 1;
  private static final int REPLY = 2;
  private static final int DRARP_ERROR = 7;

  static {
    ARP.summary(OPERATION, SENDER_IP, TARGET_IP);
  }

  @Override
  public Fields fields() {
    return ARP;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.ETHER_TYPE.key(EtherType.ARP), DispatchTable.ETHER_TYPE.key(EtherType.RARP));
  }

  @Override
  public void scan(Scan scan) {
    int length = HEADER_BYTES + 2 * (scan.number(HARDWARE_SIZE) + scan.number(PROTOCOL_SIZE));
    scan.total(length);
    if (length > scan.claimedLength()) {
      scan.malformed();
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int hardwareType = dissection.u16(0);
    int protocolType = dissection.u16(2);
    int hardwareBytes = dissection.u8(4);
    int protocolBytes = dissection.u8(5);
    int operation = dissection.u16(6);
    dissection.fixed();
    purpose(dissection, operation, hardwareBytes, protocolBytes);
    boolean isMac =
        (hardwareType == ETHERNET || hardwareType == IEEE_802) && hardwareBytes == MAC_BYTES;
    boolean isIp = protocolType == EtherType.IPV4 && protocolBytes == IP_BYTES;
    address(dissection, isMac ? SENDER_MAC : SENDER_HARDWARE, hardwareBytes);
    address(dissection, isIp ? SENDER_IP : SENDER_PROTOCOL, protocolBytes);
    address(dissection, isMac ? TARGET_MAC : TARGET_HARDWARE, hardwareBytes);
    if (operation == DRARP_ERROR && isIp) {
      dissection.add(ERROR);
    } else {
      address(dissection, isIp ? TARGET_IP : TARGET_PROTOCOL, protocolBytes);
    }
  }

  private static void address(Dissection dissection, Field field, int bytes) {
    if (bytes > 0) {
      dissection.add(field, bytes);
    }
  }

  /** Of a request or reply, with the cursor at its addresses. */
  private static void purpose(Dissection dissection, int operation, int hardware, int protocol) {
    int target = 2 * hardware + protocol;
    if ((operation != REQUEST && operation != REPLY) || !dissection.has(target + protocol)) {
      return;
    }
    boolean isSame = true;
    for (int i = 0; i < protocol; i++) {
      isSame &= dissection.u8(hardware + i) == dissection.u8(target + i);
    }
    if (isSame) {
      dissection.value(IS_GRATUITOUS, 1, 0, 0);
      if (operation == REQUEST && isZero(dissection, hardware + protocol, hardware)) {
        dissection.value(IS_ANNOUNCEMENT, 1, 0, 0);
      }
    } else if (operation == REQUEST && isZero(dissection, hardware, protocol)) {
      dissection.value(IS_PROBE, 1, 0, 0);
    }
  }

  private static boolean isZero(Dissection dissection, int from, int count) {
    int bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= dissection.u8(from + i);
    }
    return bits == 0;
  }
}
