package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The headers of a captured IEEE 802.11 frame: radiotap (radiotap.org), whose integers are
 * little-endian and which has more fields than are read here, and the MAC header of IEEE 802.11,
 * clause 9.2.4.
 *
 * <pre>
 *  radiotap: 0 version, 2 length, 4 which fields (bit 31: four more bytes follow), fields
 *  MAC:      0 frame control, 2 duration, 4 address 1, 10 address 2, 16 address 3, 22 sequence,
 *            24 address 4, if to and from the distribution system; QoS control, HT control
 * </pre>
 */
final class WirelessHeader {
  private static final int RADIOTAP_BYTES = 8;
  private static final int MORE_FIELDS = 0x8000_0000;
  private static final int HAS_TIME = 1;
  private static final int HAS_FLAGS = 2;
  private static final int FLAG_PADDED = 0x20;
  private static final int MAC_BYTES = 24;
  private static final int TYPE_MASK = 0x0C;
  private static final int TYPE_DATA = 0x08;
  private static final int WITHOUT_DATA = 0x40;
  private static final int QOS = 0x80;
  private static final int TO_DS = 0x01;
  private static final int FROM_DS = 0x02;
  private static final int PROTECTED = 0x40;
  private static final int HT_CONTROL = 0x80;
  private static final int AGGREGATE = 0x80;

  private int end;
  private boolean isPadded;
  private boolean isWhole;
  private long destination;
  private long source;

  /** Where the header ends that was read last. */
  int end() {
    return end;
  }

  /** Whether the MAC header is padded to a multiple of 4, as radiotap says. */
  boolean isPadded() {
    return isPadded;
  }

  /** Whether the MAC header was there, if not one with data. */
  boolean isWhole() {
    return isWhole;
  }

  long destination() {
    return destination;
  }

  long source() {
    return source;
  }

  /** Reads a radiotap header; whether it is there. */
  boolean radiotap(Packet packet) {
    if (packet.length() < RADIOTAP_BYTES) {
      return false;
    }
    end = Short.toUnsignedInt(Short.reverseBytes((short) packet.u16(2)));
    if (end < RADIOTAP_BYTES || end > packet.length()) {
      return false;
    }
    int present = Integer.reverseBytes(packet.i32(4));
    int at = RADIOTAP_BYTES;
    for (int more = present; (more & MORE_FIELDS) != 0 && end - at >= 4; at += 4) {
      more = Integer.reverseBytes(packet.i32(at));
    }
    if ((present & HAS_TIME) != 0) {
      at = (at + 7 & ~7) + 8;
    }
    isPadded = (present & HAS_FLAGS) != 0 && at < end && (packet.u8(at) & FLAG_PADDED) != 0;
    return true;
  }

  /** Reads a MAC header; whether it is that of a frame whose data begin there, readable. */
  boolean data(Packet packet, int at, boolean hasPadding) {
    int left = packet.length() - at;
    isWhole = left >= MAC_BYTES;
    if (left < 2) {
      return false;
    }
    int type = packet.u8(at);
    int flags = packet.u8(at + 1);
    if ((type & TYPE_MASK) != TYPE_DATA) {
      isWhole = true; // Management and control frames have other headers, and no data for us.
      return false;
    }
    int bytes = MAC_BYTES;
    bytes += (flags & (TO_DS | FROM_DS)) == (TO_DS | FROM_DS) ? 6 : 0;
    int qos = at + bytes;
    if ((type & QOS) != 0) {
      bytes += 2 + ((flags & HT_CONTROL) != 0 ? 4 : 0);
    }
    isWhole = left >= bytes;
    if (!isWhole || (type & WITHOUT_DATA) != 0 || (flags & PROTECTED) != 0) {
      return false;
    }
    boolean isAggregate = (type & QOS) != 0 && (packet.u8(qos) & AGGREGATE) != 0;
    boolean isLaterFragment = (packet.u8(at + 22) & 0xF) != 0;
    addresses(packet, at, flags);
    end = at + (hasPadding ? bytes + 3 & ~3 : bytes);
    return !isAggregate && !isLaterFragment;
  }

  /** IEEE 802.11, table 9-30. */
  private void addresses(Packet packet, int at, int flags) {
    boolean isToDs = (flags & TO_DS) != 0;
    boolean isFromDs = (flags & FROM_DS) != 0;
    destination = MacAddress.at(packet, at + (isToDs ? 16 : 4));
    int sender = 10;
    if (isFromDs) {
      sender = isToDs ? 24 : 16;
    }
    source = MacAddress.at(packet, at + sender);
  }
}
