package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** Control frames (IEEE 802.11, clause 9.3.1): from RTS to block acknowledgments. */
final class WlanControl {
  private static final int BLOCK_REQUEST = 8;
  private static final int BLOCK_ACK = 9;
  private static final int POLL = 10;
  private static final int RTS = 11;
  private static final int FREE = 14;
  private static final int FREE_ACK = 15;
  private static final int WRAPPER = 7;
  private static final int COMPRESSED = 2;

  // Bytes of the bitmap; there may be more.
  private static final int BASIC_BYTES = 128;
  private static final int COMPRESSED_BYTES = 8;

  private final Field association;
  private final Parts blockControl;
  private final Parts start;
  private final Field bitmap;
  private final Field body;

  WlanControl(Fields owner) {
    owner.source("IEEE 802.11, clause 9.3.1");
    association = owner.floating("wlan.aid", 16, DECIMAL, "Association");
    blockControl =
        owner
            .parts("wlan.ba.control", 16, HEX, "Block acknowledgment control")
            .part("wlan.ba.basic.tidinfo", 4, HEX, "Traffic identifier")
            .part("wlan.ba.control.reserved", 7, HEX, "Reserved")
            .part("wlan.ba.control.ba_type", 4, HEX, "Type of the block acknowledgment")
            .flag("wlan.ba.control.ackpolicy", "No acknowledgment");
    start = startingSequence(owner);
    bitmap = owner.floating("wlan.ba.bm", 0, BYTES, "What was received");
    body = owner.floating("wlan.control.body", 0, BYTES, "Body of the frame");
  }

  static Parts startingSequence(Fields owner) {
    return owner
        .parts("wlan.fixed.ssc", 16, HEX, "Starting sequence control")
        .part("wlan.fixed.ssc.sequence", 12, DECIMAL, "Starting sequence number")
        .part("wlan.fixed.ssc.fragment", 4, DECIMAL, "Starting fragment");
  }

  void dissect(Dissection dissection, int subtype) {
    if (subtype == POLL) {
      association(dissection);
    } else {
      WlanProtocol.ADDRESSES.duration(dissection);
    }
    WlanProtocol.ADDRESSES.receiver(dissection, subtype == POLL);
    switch (subtype) {
      case BLOCK_REQUEST, BLOCK_ACK -> {
        WlanProtocol.ADDRESSES.transmitter(dissection, false);
        block(dissection, subtype == BLOCK_ACK);
      }
      case 2, 3, 4, 5, POLL, RTS -> WlanProtocol.ADDRESSES.transmitter(dissection, false);
      case FREE -> WlanProtocol.ADDRESSES.transmitter(dissection, true);
      case FREE_ACK -> WlanProtocol.ADDRESSES.transmitter(dissection, false);
      case WRAPPER -> dissection.addLeft(body);
      default -> {}
    }
    dissection.addLeft(body);
  }

  private void association(Dissection dissection) {
    if (dissection.has(2)) {
      int value = (dissection.u8(1) << 8) | dissection.u8(0);
      dissection.value(association, value & 0x3FFF, 0, 2);
    }
    dissection.skip(2);
  }

  private void block(Dissection dissection, boolean isAck) {
    int type = (int) (dissection.add(blockControl) >>> 1) & 0xF;
    if (type <= COMPRESSED) {
      dissection.add(start);
      if (isAck) {
        int bytes = type == COMPRESSED ? COMPRESSED_BYTES : BASIC_BYTES;
        dissection.add(bitmap, Math.max(dissection.left(), bytes));
      }
    }
  }
}
