package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;

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

/**
 * Logical link control, and the sub-network access protocol, with which it carries ether types.
 *
 * <pre>
 *  0 destination and 1 source access point, 2 control (of one byte or two)
 *  SNAP: 3 organisation, 6 protocol
 * </pre>
 */
public final class LlcProtocol implements Protocol {
  /**
   * What says in the table of ether types that such a header follows, though it is none: Linux's
   * ETH_P_802_2 (if_ether.h).
   */
  static final int ETHER_TYPE = 0x0004;

  static final int SNAP = 0xAA;
  static final int ORGANISATION_ETHERNET = 0x000000;
  static final int ORGANISATION_CISCO_90 = 0x0000F8;
  static final int ORGANISATION_CISCO = 0x00000C;
  static final int ORGANISATION_8021 = 0x0080C2;

  public static final Fields LLC =
      Fields.of("llc", "Logical-Link Control", "IEEE 802.2, clause 3.2");
  public static final Field DESTINATION = LLC.field("llc.dsap", 8, HEX, "Destination access point");
  public static final Field DESTINATION_SAP =
      LLC.part("llc.dsap.sap", 0, 7, 8, DECIMAL, "Destination access point, without its last bit");
  public static final Field DESTINATION_GROUP =
      LLC.part("llc.dsap.ig", 7, 1, 8, FLAG, "Group of access points");
  public static final Field SOURCE = LLC.field("llc.ssap", 8, HEX, "Source access point");
  public static final Field SOURCE_SAP =
      LLC.part("llc.ssap.sap", 8, 7, 8, DECIMAL, "Source access point, without its last bit");
  public static final Field RESPONSE = LLC.part("llc.ssap.cr", 15, 1, 8, FLAG, "Response");
  public static final Field CONTROL =
      LLC.source("IEEE 802.2, clause 5.2").floating("llc.control", 16, HEX, "Control");
  public static final Field RECEIVED = LLC.floating("llc.control.n_r", 16, DECIMAL, "N(R)");
  public static final Field SENT = LLC.floating("llc.control.n_s", 16, DECIMAL, "N(S)");
  public static final Field POLL = LLC.floating("llc.control.p", 8, FLAG, "Poll");
  public static final Field FINAL = LLC.floating("llc.control.f", 8, FLAG, "Final");
  public static final Field SUPERVISORY =
      LLC.floating(
          "llc.control.s_ftype",
          16,
          HEX,
          "Supervisory function",
          ValueNames.from0("Receiver ready", "Receiver not ready", "Reject"));
  private static final ValueNames UNNUMBERED =
      ValueNames.of(
          Map.of(
              0x00, "Unnumbered information",
              0x03, "Disconnected mode",
              0x10, "Disconnect",
              0x18, "Unnumbered acknowledgment",
              0x1B, "Set asynchronous balanced mode",
              0x21, "Frame reject",
              0x2B, "Exchange identification",
              0x38, "Test"));
  public static final Field COMMAND =
      LLC.floating("llc.control.u_modifier_cmd", 8, HEX, "Command", UNNUMBERED);
  public static final Field REPLY =
      LLC.floating("llc.control.u_modifier_resp", 8, HEX, "Response to a command", UNNUMBERED);
  public static final Field FRAME_TYPE =
      LLC.floating("llc.control.ftype", 16, HEX, "Type of frame");
  public static final Field FRAME_TYPE_UNNUMBERED =
      LLC.floating("llc.control.ftype", 8, HEX, "Type of frame");
  public static final Field ORGANISATION =
      LLC.source("IEEE 802, clause 9.5").floating("llc.oui", 24, DECIMAL, "Organisation");
  public static final Field TYPE =
      LLC.floating("llc.type", 16, HEX, "Ether type", NumberNames.ETHER_TYPES);
  public static final Field CISCO = LLC.floating("llc.cisco_pid", 16, HEX, "Protocol of Cisco");
  public static final Field PROTOCOL =
      LLC.floating("llc.pid", 16, HEX, "Protocol of the organisation");

  /** RFC 1483: LINKTYPE_ATM_RFC1483, and what BSD had in its place. */
  private static final int ATM = 100;

  private static final int ATM_OF_BSD = 11;
  private static final int IP = 0x06;
  private static final int SNAP_BYTES = 5;
  private static final int UNNUMBERED_BITS = 3;
  private static final int POLL_BIT = 0x10;

  static {
    LLC.summary(DESTINATION, SOURCE, COMMAND, REPLY, TYPE, CISCO, PROTOCOL);
  }

  @Override
  public Fields fields() {
    return LLC;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(
        DispatchTable.LINK_TYPE.key(ATM_OF_BSD),
        DispatchTable.LINK_TYPE.key(ATM),
        DispatchTable.ETHER_TYPE.key(ETHER_TYPE));
  }

  @Override
  public void scan(Scan scan) {
    int destination = scan.u8(0);
    int control = scan.u8(2);
    int controlEnd = 2 + controlBytes(control);
    if (isSnap(destination, scan.u8(1), control)) {
      int protocol = scan.u16(controlEnd + 3);
      int organisation = scan.i32(controlEnd) >>> 8;
      scan.header(controlEnd + SNAP_BYTES);
      followsSnap(scan, organisation, protocol);
      return;
    }
    scan.header(controlEnd);
    if (destination == IP && isInformation(control)) {
      scan.next(DispatchTable.ETHER_TYPE, EtherType.IPV4);
    } else if (isInformation(control)) {
      scan.next(DispatchTable.LLC_SAP, destination);
    }
  }

  private static void followsSnap(Scan scan, int organisation, int protocol) {
    switch (organisation) {
      case ORGANISATION_ETHERNET, ORGANISATION_CISCO_90 ->
          scan.next(DispatchTable.ETHER_TYPE, protocol);
      case ORGANISATION_CISCO -> scan.next(DispatchTable.CISCO_PID, protocol);
      case ORGANISATION_8021 -> {
        // IEEE 802.1Q, annex C: bridged frames of Ethernet with and without check sequence.
        if (protocol == 1 || protocol == 7) {
          scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
        } else if (protocol == 0xE) {
          scan.next(DispatchTable.LLC_SAP, 0x42);
        }
      }
      default -> {}
    }
  }

  private static int controlBytes(int control) {
    return (control & UNNUMBERED_BITS) == UNNUMBERED_BITS ? 1 : 2;
  }

  private static boolean isSnap(int destination, int source, int control) {
    return destination == SNAP && (source | 1) == (SNAP | 1) && isInformation(control);
  }

  /** Numbered, or unnumbered. */
  private static boolean isInformation(int control) {
    return (control & 1) == 0 || (control & ~POLL_BIT) == UNNUMBERED_BITS;
  }

  @Override
  public void dissect(Dissection dissection) {
    boolean isResponse = (dissection.u8(1) & 1) != 0;
    int control = dissection.u8(2);
    dissection.fixed();
    if (!dissection.has(1)) {
      return;
    }
    if (controlBytes(control) == 1) {
      unnumbered(dissection, control, isResponse);
    } else {
      numbered(dissection, dissection.u16(0), isResponse);
    }
    if (dissection.left() >= SNAP_BYTES) {
      snap(dissection);
    }
  }

  private static void unnumbered(Dissection dissection, int control, boolean isResponse) {
    dissection.value(CONTROL, control, 0, 1);
    if ((control & POLL_BIT) != 0) {
      dissection.value(isResponse ? FINAL : POLL, 1, 0, 1);
    }
    dissection.value(isResponse ? REPLY : COMMAND, (control & 0xEC) >>> 2, 0, 1);
    dissection.value(FRAME_TYPE_UNNUMBERED, UNNUMBERED_BITS, 0, 1);
    dissection.skip(1);
  }

  /** Of two bytes: the first is the lower one. */
  private static void numbered(Dissection dissection, int bytes, boolean isResponse) {
    int control = ((bytes & 0xFF) << 8) | (bytes >>> 8);
    dissection.value(CONTROL, control, 0, 2);
    dissection.value(RECEIVED, control >>> 9, 0, 2);
    boolean isInformation = (control & 1) == 0;
    if (isInformation) {
      dissection.value(SENT, (control >>> 1) & 0x7F, 0, 2);
    }
    if ((control & 0x100) != 0) {
      dissection.value(isResponse && !isInformation ? FINAL : POLL, 1, 0, 2);
    }
    if (!isInformation) {
      dissection.value(SUPERVISORY, (control >>> 2) & 3, 0, 2);
    }
    dissection.value(FRAME_TYPE, isInformation ? 0 : 1, 0, 2);
    dissection.skip(2);
  }

  private static void snap(Dissection dissection) {
    int organisation = (int) dissection.add(ORGANISATION);
    dissection.add(
        switch (organisation) {
          case ORGANISATION_ETHERNET, ORGANISATION_CISCO_90 -> TYPE;
          case ORGANISATION_CISCO -> CISCO;
          default -> PROTOCOL;
        });
  }
}
