package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.TEXT;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Scan;

/** What is behind the addresses: QoS and HT control, and what encryption puts before the data. */
final class WlanData {
  static final int WEP_BYTES = 4;
  static final int WEP_CHECK_BYTES = 4;

  private static final int EXTENDED_BYTES = 8;
  private static final int EXTENDED_FLAG = 0x20;
  private static final int FROM_DISTRIBUTION = 2;
  private static final int NO_DATA = 0x40;
  private static final int HEX_DIGITS = 16;

  private final Field qos;
  private final Field traffic;
  private final Field priority;
  private final Field isEnd;
  private final Field bit4;
  private final Field policy;
  private final Field isAggregate;
  private final Field bufferState;
  private final Field isBufferTold;
  private final Field bufferClass;
  private final Field bufferLoad;
  private final Field wantedDuration;
  private final Field queueSize;
  private final Field htControl;
  private final Field isVht;
  private final Field isHe;
  private final Field ccmp;
  private final Field tkip;
  private final Field wep;
  private final Field key;
  private final Field check;

  WlanData(Fields owner) {
    owner.source("IEEE 802.11, clause 9.2.4.5");
    qos = owner.floating("wlan.qos", 16, HEX, "QoS control");
    traffic = owner.floating("wlan.qos.tid", 16, DECIMAL, "Traffic identifier");
    priority = owner.floating("wlan.qos.priority", 16, DECIMAL, "Priority");
    isEnd = owner.floating("wlan.qos.eosp", 16, FLAG, "End of the service period");
    bit4 = owner.floating("wlan.qos.bit4", 16, FLAG, "What bits 8 to 15 are: queue size");
    policy = owner.floating("wlan.qos.ack", 16, HEX, "Policy of acknowledgments");
    isAggregate = owner.floating("wlan.qos.amsdupresent", 16, FLAG, "A-MSDU");
    bufferState = owner.floating("wlan.qos.ps_buf_state", 16, HEX, "State of the buffer");
    isBufferTold = owner.floating("wlan.qos.buf_state_indicated", 16, FLAG, "Buffer is told of");
    bufferClass =
        owner.floating("wlan.qos.highest_pri_buf_ac", 16, DECIMAL, "Highest class buffered");
    bufferLoad = owner.floating("wlan.qos.qap_buf_load", 16, DECIMAL, "Load of the buffer");
    wantedDuration =
        owner.floating("wlan.qos.txop_dur_req", 16, DECIMAL, "Duration wanted in units of 32 us");
    queueSize = owner.floating("wlan.qos.queue_size", 16, DECIMAL, "Queue size");
    owner.source("IEEE 802.11, clause 9.2.4.6");
    htControl = owner.floating("wlan.htc", 32, HEX, "HT control");
    isVht = owner.floating("wlan.htc.vht", 32, FLAG, "Of VHT or HE");
    isHe = owner.floating("wlan.htc.he", 32, FLAG, "Of HE");
    owner.source("IEEE 802.11, clause 12.5.3.2");
    ccmp = owner.floating("wlan.ccmp.extiv", 0, TEXT, "Packet number of CCMP");
    owner.source("IEEE 802.11, clause 12.5.2.2");
    tkip = owner.floating("wlan.tkip.extiv", 0, TEXT, "Sequence counter of TKIP");
    owner.source("IEEE 802.11, clause 12.3.2.2");
    wep = owner.floating("wlan.wep.iv", 24, HEX, "Initialization vector of WEP");
    key = owner.floating("wlan.wep.key", 8, DECIMAL, "Key index");
    check = owner.floating("wlan.wep.icv", 32, HEX, "Integrity check value of WEP");
  }

  /** Bytes of what encryption puts before the data. */
  static int longBytes(Scan scan, int offset) {
    return (scan.u8(offset + 3) & EXTENDED_FLAG) != 0 ? EXTENDED_BYTES : WEP_BYTES;
  }

  void management(Dissection dissection, int flags) {
    if (WlanHeader.hasHtControl(0, flags)) {
      htControl(dissection);
    }
    if (WlanHeader.isProtected(flags) && dissection.left() > 0) {
      protection(dissection);
    }
  }

  /**
   * @param isPadded whether the header is padded to a multiple of four bytes
   */
  void dissect(Dissection dissection, int control, int flags, boolean isPadded) {
    if (WlanHeader.isQos(control)) {
      qos(dissection, control, flags);
    }
    if (WlanHeader.hasHtControl(control, flags)) {
      htControl(dissection);
    }
    if (WlanHeader.isProtected(flags) && WlanHeader.hasData(control, flags)) {
      dissection.skip(isPadded ? -dissection.offset() & 3 : 0);
      protection(dissection);
    }
  }

  private void qos(Dissection dissection, int control, int flags) {
    if (!dissection.has(2)) {
      dissection.skip(2);
      return;
    }
    int low = dissection.u8(0);
    int high = dissection.u8(1);
    boolean isFrom = (flags & FROM_DISTRIBUTION) != 0;
    dissection.value(qos, (high << 8) | low, 0, 2);
    dissection.value(traffic, low & 0xF, 0, 2);
    dissection.value(priority, low & 7, 0, 2);
    dissection.value(isFrom ? isEnd : bit4, low & 0x10, 0, 2);
    dissection.value(policy, (low >>> 5) & 3, 0, 2);
    if ((control & NO_DATA) == 0) {
      dissection.value(isAggregate, low & WlanHeader.QOS_AGGREGATE, 0, 2);
    }
    if (isFrom) {
      buffer(dissection, high);
    } else {
      dissection.value((low & 0x10) != 0 ? queueSize : wantedDuration, high, 0, 2);
    }
    dissection.skip(2);
  }

  private void buffer(Dissection dissection, int state) {
    dissection.value(bufferState, state, 0, 2);
    dissection.value(isBufferTold, state & 2, 0, 2);
    if ((state & 2) != 0) {
      dissection.value(bufferClass, (state >>> 2) & 3, 0, 2);
      dissection.value(bufferLoad, state >>> 4, 0, 2);
    }
  }

  private void htControl(Dissection dissection) {
    int low = dissection.u8(0);
    dissection.add(htControl);
    dissection.value(isVht, low & 1, -4, 4);
    if ((low & 1) != 0) {
      dissection.value(isHe, low & 2, -4, 4);
    }
  }

  private void protection(Dissection dissection) {
    int keyByte = dissection.u8(3);
    if ((keyByte & EXTENDED_FLAG) == 0) {
      int vector = (dissection.u8(0) << 16) | dissection.u16(1);
      dissection.value(wep, vector, 0, 3);
      dissection.value(key, keyByte >>> 6, 3, 1);
      dissection.skip(WEP_BYTES);
      return;
    }
    int first = dissection.u8(0);
    int second = dissection.u8(1);
    boolean isTkip = second == ((first | 0x20) & 0x7F);
    long high = Integer.toUnsignedLong(Integer.reverseBytes((int) dissection.u32(4)));
    int low = isTkip ? (first << 8) | dissection.u8(2) : (second << 8) | first;
    StringBuilder text = dissection.text().append("0x");
    hex(text, high, 8);
    hex(text, low, 4);
    dissection.text(isTkip ? tkip : ccmp, text, 0, EXTENDED_BYTES);
    dissection.value(key, keyByte >>> 6, 3, 1);
    dissection.skip(EXTENDED_BYTES);
  }

  private static void hex(StringBuilder text, long value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      text.append(Character.forDigit((int) (value >>> shift) & 0xF, HEX_DIGITS));
    }
  }

  /** With the cursor at it: in the order of networks, unlike all other numbers. */
  void check(Dissection dissection) {
    dissection.value(check, dissection.u32(0), 0, WEP_CHECK_BYTES);
    dissection.skip(WEP_CHECK_BYTES);
  }
}
