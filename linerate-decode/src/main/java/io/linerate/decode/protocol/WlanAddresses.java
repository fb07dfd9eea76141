package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.MAC;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;

/** Whose addresses a wireless frame has (IEEE 802.11, table 9-30), and its sequence number. */
final class WlanAddresses {
  private static final int FIRST = 4;
  private static final int SECOND = 10;
  private static final int THIRD = 16;
  private static final int SEQUENCE = 22;
  private static final int FOURTH = 24;
  private static final int ADDRESS_BYTES = 6;
  private static final int TO_DISTRIBUTION = 1;
  private static final int FROM_DISTRIBUTION = 2;

  private final Field duration;
  private final Field receiver;
  private final Field transmitter;
  private final Field destination;
  private final Field source;
  private final Field network;
  private final Field station;
  private final Field any;
  private final Field fragment;
  private final Field sequence;

  WlanAddresses(Fields owner) {
    owner.source("IEEE 802.11, clause 9.2.4");
    duration = owner.floating("wlan.duration", 16, DECIMAL, "Duration in us");
    receiver = owner.floating("wlan.ra", 48, MAC, "Receiver");
    transmitter = owner.floating("wlan.ta", 48, MAC, "Transmitter");
    destination = owner.floating("wlan.da", 48, MAC, "Destination");
    source = owner.floating("wlan.sa", 48, MAC, "Source");
    network = owner.floating("wlan.bssid", 48, MAC, "Network");
    station = owner.floating("wlan.staa", 48, MAC, "Station");
    any = owner.floating("wlan.addr", 48, MAC, "Any address");
    fragment = owner.floating("wlan.frag", 16, DECIMAL, "Fragment number");
    sequence = owner.floating("wlan.seq", 16, DECIMAL, "Sequence number");
  }

  /** With the cursor at it. */
  void duration(Dissection dissection) {
    if (dissection.has(2)) {
      int value = (dissection.u8(1) << 8) | dissection.u8(0);
      dissection.value(duration, value & 0x7FFF, 0, 2);
    }
    dissection.skip(2);
  }

  /** Of a control frame, at the cursor, which moves behind it; each may be several things. */
  void receiver(Dissection dissection, boolean isNetwork) {
    at(dissection, dissection.offset(), receiver);
    at(dissection, dissection.offset(), any);
    if (isNetwork) {
      at(dissection, dissection.offset(), network);
    }
    dissection.skip(ADDRESS_BYTES);
  }

  /** As {@link #receiver}. */
  void transmitter(Dissection dissection, boolean isNetwork) {
    at(dissection, dissection.offset(), isNetwork ? network : transmitter);
    at(dissection, dissection.offset(), any);
    dissection.skip(ADDRESS_BYTES);
  }

  void management(Dissection dissection) {
    duration(dissection);
    at(dissection, FIRST, receiver);
    at(dissection, FIRST, any);
    at(dissection, FIRST, destination);
    at(dissection, SECOND, transmitter);
    at(dissection, SECOND, any);
    at(dissection, SECOND, source);
    at(dissection, THIRD, network);
    at(dissection, THIRD, any);
    sequence(dissection);
  }

  void data(Dissection dissection, int control, int flags) {
    duration(dissection);
    boolean isTo = (flags & TO_DISTRIBUTION) != 0;
    boolean isFrom = (flags & FROM_DISTRIBUTION) != 0;
    boolean isAggregate = isAggregate(dissection, control, flags);
    at(dissection, FIRST, receiver);
    at(dissection, FIRST, any);
    at(dissection, SECOND, transmitter);
    at(dissection, SECOND, any);
    if (!isTo || !isAggregate) {
      at(dissection, isTo ? THIRD : FIRST, destination);
    }
    if (isTo && isFrom) {
      if (!isAggregate) {
        at(dissection, FOURTH, source);
        at(dissection, FOURTH, any);
        at(dissection, THIRD, any);
      }
    } else {
      if (!isFrom || !isAggregate) {
        at(dissection, isFrom ? THIRD : SECOND, source);
      }
      at(dissection, isTo ? FIRST : isFrom ? SECOND : THIRD, network);
      if (isTo || isFrom) {
        at(dissection, isTo ? SECOND : FIRST, station);
      }
      if (!isAggregate) {
        at(dissection, THIRD, any);
      }
    }
    sequence(dissection);
    dissection.offset(isTo && isFrom ? FOURTH + ADDRESS_BYTES : FOURTH);
  }

  /** Addresses that the frames in it have themselves are not told. */
  private static boolean isAggregate(Dissection dissection, int control, int flags) {
    int ahead = WlanHeader.qosOffset(flags) - dissection.offset();
    return WlanHeader.isQos(control)
        && dissection.has(ahead + 1)
        && (dissection.u8(ahead) & WlanHeader.QOS_AGGREGATE) != 0;
  }

  private static void at(Dissection dissection, int offset, Field field) {
    int ahead = offset - dissection.offset();
    if (dissection.has(ahead + ADDRESS_BYTES)) {
      long address = ((long) dissection.u16(ahead) << Integer.SIZE) | dissection.u32(ahead + 2);
      dissection.value(field, address, ahead, ADDRESS_BYTES);
    }
  }

  private void sequence(Dissection dissection) {
    dissection.offset(SEQUENCE);
    if (dissection.has(2)) {
      int value = (dissection.u8(1) << 8) | dissection.u8(0);
      dissection.value(fragment, value & 0xF, 0, 2);
      dissection.value(sequence, value >>> 4, 0, 2);
    }
    dissection.skip(2);
  }
}
