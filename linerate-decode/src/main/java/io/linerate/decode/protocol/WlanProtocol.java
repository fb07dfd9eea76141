package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.core.memory.LinkType;
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

/**
 * The header of a wireless frame: of management, control or data. Its integers are little-endian.
 * How long it is, {@link WlanHeader} says.
 */
public final class WlanProtocol implements Protocol {
  /** What a frame of a type carries: management, or several frames of data. */
  static final DispatchTable CONTENT = new DispatchTable("wlan.fc.type");

  static final int MANAGEMENT = 0;
  static final int AGGREGATE = 2;

  public static final Fields WLAN =
      Fields.of("wlan", "IEEE 802.11 wireless LAN", "IEEE 802.11, clause 9.2.4.1");
  public static final Field TYPE_SUBTYPE =
      WLAN.floating(
          "wlan.fc.type_subtype",
          16,
          HEX,
          "Type and subtype",
          ValueNames.of(
              Map.of(
                  0x00, "Association request",
                  0x01, "Association response",
                  0x04, "Probe request",
                  0x05, "Probe response",
                  0x08, "Beacon",
                  0x0B, "Authentication",
                  0x0C, "Deauthentication",
                  0x1D, "Ack",
                  0x20, "Data",
                  0x28, "QoS data")));
  public static final Field CONTROL = WLAN.field("wlan.fc", 16, HEX, "Frame control");
  public static final Field SUBTYPE = WLAN.part("wlan.fc.subtype", 0, 4, 8, DECIMAL, "Subtype");
  public static final Field TYPE =
      WLAN.part(
          "wlan.fc.type",
          4,
          2,
          8,
          DECIMAL,
          "Type",
          ValueNames.from0("Management", "Control", "Data", "Extension"));
  public static final Field VERSION = WLAN.part("wlan.fc.version", 6, 2, 8, DECIMAL, "Version");
  private static final Parts FLAGS =
      WLAN.parts("wlan.flags", 8, HEX, "Flags")
          .flag("wlan.fc.order", "HT control present, or ordered")
          .flag("wlan.fc.protected", "Protected")
          .flag("wlan.fc.moredata", "More data")
          .flag("wlan.fc.pwrmgt", "Power management")
          .flag("wlan.fc.retry", "Retry")
          .flag("wlan.fc.frag", "More fragments")
          .flag("wlan.fc.fromds", "From the distribution system")
          .flag("wlan.fc.tods", "To the distribution system");
  public static final Field DIRECTION =
      WLAN.floating("wlan.fc.ds", 8, HEX, "To and from the distribution system");
  static final WlanAddresses ADDRESSES = new WlanAddresses(WLAN.littleEndian());
  private static final WlanControl CONTROL_FRAMES = new WlanControl(WLAN);
  private static final WlanData DATA = new WlanData(WLAN);
  public static final Field FCS =
      WLAN.source("IEEE 802.11, clause 9.2.4.8")
          .floating("wlan.fcs", 32, HEX, "Frame check sequence");

  private static final int VERSION_MASK = 3;
  private static final int MAX_VERSION = 1;
  private static final int FCS_BYTES = 4;
  private static final int TYPE_CONTROL = 1;
  private static final int TYPE_DATA = 2;

  static {
    WLAN.summary(TYPE_SUBTYPE);
  }

  @Override
  public Fields fields() {
    return WLAN;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.LINK_TYPE.key(LinkType.IEEE802_11.number()));
  }

  @Override
  public void scan(Scan scan) {
    int control = scan.u8(0);
    int flags = scan.u8(1);
    if ((control & VERSION_MASK) > MAX_VERSION) {
      scan.malformed();
    }
    int radio = RadiotapProtocol.flags(scan.outer());
    int trailer = (radio & RadiotapProtocol.FLAG_FCS) != 0 ? FCS_BYTES : 0;
    int bytes = WlanHeader.bytes(control, flags);
    if (WlanHeader.hasData(control, flags)) {
      boolean isPadded = (radio & RadiotapProtocol.FLAG_PADDED) != 0;
      bytes = isPadded ? (bytes + 3) & ~3 : bytes;
      trailer += data(scan, control, flags, bytes);
    } else if (WlanHeader.type(control) == MANAGEMENT) {
      scan.header(bytes + (WlanHeader.isProtected(flags) ? WlanData.longBytes(scan, bytes) : 0));
      if (!WlanHeader.isProtected(flags)) {
        scan.next(CONTENT, MANAGEMENT);
      }
      boolean isEmpty = scan.claimedLength() - trailer <= bytes;
      if (isEmpty && WlanManagementProtocol.hasContent(control >>> 4)) {
        scan.malformed();
      }
    } else if (trailer > 0) {
      // Only a header: what is behind it is the trailer.
      scan.header(Math.clamp(scan.claimedLength() - trailer, 0, scan.length()));
    } else {
      int _ = scan.u8(bytes - 1);
    }
    if (trailer > 0) {
      scan.trailer(scan.claimedLength() - trailer);
    }
  }

  /** Returns how long the trailer is that encryption adds. */
  private static int data(Scan scan, int control, int flags, int bytes) {
    if (WlanHeader.isProtected(flags)) {
      int initialization = WlanData.longBytes(scan, bytes);
      scan.header(bytes + initialization);
      return initialization == WlanData.WEP_BYTES ? WlanData.WEP_CHECK_BYTES : 0;
    }
    boolean isAggregate =
        WlanHeader.isQos(control)
            && (scan.u8(WlanHeader.qosOffset(flags)) & WlanHeader.QOS_AGGREGATE) != 0;
    int fragment = scan.u8(WlanHeader.SEQUENCE_OFFSET) & 0xF;
    scan.header(bytes);
    if (isAggregate) {
      scan.next(CONTENT, AGGREGATE);
    } else if (fragment == 0 && !WlanHeader.hasMoreFragments(flags)) {
      scan.next(DispatchTable.ETHER_TYPE, LlcProtocol.ETHER_TYPE);
    }
    return 0;
  }

  @Override
  public void dissect(Dissection dissection) {
    int control = dissection.u8(0);
    int flags = dissection.u8(1);
    if (!dissection.has(2)) {
      return;
    }
    dissection.value(TYPE_SUBTYPE, WlanHeader.typeAndSubtype(control), 0, 1);
    dissection.fixed();
    dissection.offset(1);
    dissection.add(FLAGS);
    dissection.value(DIRECTION, flags & 3, -1, 1);
    switch (WlanHeader.type(control)) {
      case MANAGEMENT -> {
        ADDRESSES.management(dissection);
        DATA.management(dissection, flags);
      }
      case TYPE_CONTROL -> CONTROL_FRAMES.dissect(dissection, control >>> 4);
      case TYPE_DATA -> {
        ADDRESSES.data(dissection, control, flags);
        DATA.dissect(dissection, control, flags, isPadded(dissection));
      }
      default -> {}
    }
    trailer(dissection, control, flags);
  }

  private static boolean isPadded(Dissection dissection) {
    return (RadiotapProtocol.flags(dissection.outer()) & RadiotapProtocol.FLAG_PADDED) != 0;
  }

  private static void trailer(Dissection dissection, int control, int flags) {
    int radio = RadiotapProtocol.flags(dissection.outer());
    boolean hasFcs = (radio & RadiotapProtocol.FLAG_FCS) != 0;
    dissection.trailer();
    int left = dissection.left() - (hasFcs ? FCS_BYTES : 0);
    if (left == WlanData.WEP_CHECK_BYTES && WlanHeader.hasData(control, flags)) {
      DATA.check(dissection);
    }
    if (hasFcs && dissection.left() == FCS_BYTES) {
      dissection.add(FCS);
    }
  }
}
