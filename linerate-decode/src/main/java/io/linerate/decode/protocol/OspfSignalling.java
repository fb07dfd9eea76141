package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.protocol.OspfProtocol.OSPF;
import static io.linerate.decode.protocol.OspfProtocol.VERSION_2;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Parts;

/** What stands behind a packet of OSPF: link-local signalling, and an authentication trailer. */
final class OspfSignalling {
  private static final int SIGNALLING_2 = 0x10;
  private static final int SIGNALLING_3 = 0x200;
  private static final int TRAILER_3 = 0x400;
  private static final int HEADER_BYTES = 4;
  private static final int OPTIONS_TYPE = 1;
  private static final int AUTHENTICATION_TYPE = 2;
  private static final int TRAILER_HEADER_BYTES = 16;

  private static final Field CHECKSUM =
      OSPF.source("RFC 5613, section 2.2")
          .floating("ospf.lls.checksum", 16, HEX, "Signalling checksum");
  private static final Field LENGTH =
      OSPF.floating("ospf.lls.data_length", 16, DECIMAL, "Signalling length in units of 4 bytes");
  private static final Field TYPE = OSPF.floating("ospf.tlv_type", 16, DECIMAL, "Item");
  private static final Field ITEM_LENGTH =
      OSPF.floating("ospf.tlv_length", 16, DECIMAL, "Item length");
  private static final Parts OPTIONS =
      OSPF.parts("ospf.lls.ext.options", 32, HEX, "Extended options")
          .skip(30)
          .flag("ospf.lls.ext.options.rs", "Restart signal")
          .flag("ospf.lls.ext.options.lr", "Resynchronization");
  private static final Parts OPTIONS_3 =
      OSPF.parts("ospf.v3.lls.ext.options", 32, HEX, "Extended options")
          .skip(30)
          .flag("ospf.v3.lls.ext.options.rs", "Restart signal")
          .flag("ospf.v3.lls.ext.options.lr", "Resynchronization");
  private static final Field NUMBER =
      OSPF.floating("ospf.v2.lls.sequence_number", 32, HEX, "Sequence number");
  private static final Field DIGEST = OSPF.floating("ospf.v2.lls.auth_data", 0, BYTES, "Digest");
  private static final Field VALUE = OSPF.floating("ospf.lls.data", 0, BYTES, "Item value");
  private static final Field TRAILER_TYPE =
      OSPF.source("RFC 7166, section 4.1")
          .floating("ospf.at.auth_type", 16, DECIMAL, "Authentication");
  private static final Field TRAILER_LENGTH =
      OSPF.floating("ospf.at.auth_data_len", 16, DECIMAL, "Authentication length");
  private static final Field TRAILER_RESERVED =
      OSPF.floating("ospf.at.reserved", 16, HEX, "Reserved");
  private static final Field ASSOCIATION =
      OSPF.floating("ospf.at.sa_id", 16, HEX, "Security association");
  private static final Field TRAILER_NUMBER =
      OSPF.floating("ospf.at.crypto_seq_nbr", 64, DECIMAL, "Sequence number");
  private static final Field TRAILER_DATA =
      OSPF.floating("ospf.at.auth_data", 0, BYTES, "Authentication data");

  private OspfSignalling() {}

  /** Declares the fields: OSPF's are complete only then. */
  static void declare() {}

  /**
   * What the options of the message say is there.
   *
   * @param options 0 if it has none
   */
  static void dissect(Dissection dissection, int version, int options) {
    boolean isV2 = version == VERSION_2;
    if ((options & (isV2 ? SIGNALLING_2 : SIGNALLING_3)) != 0 && dissection.expectsMore()) {
      block(dissection, isV2);
    }
    if (!isV2 && (options & TRAILER_3) != 0 && dissection.expectsMore()) {
      trailer(dissection);
    }
  }

  private static void block(Dissection dissection, boolean isV2) {
    dissection.add(CHECKSUM);
    int bytes = 4 * dissection.u16(0);
    dissection.value(LENGTH, bytes, 0, 2);
    dissection.skip(2);
    int before = dissection.enter(bytes - HEADER_BYTES);
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TYPE);
      int length = (int) dissection.add(ITEM_LENGTH);
      int outer = dissection.enter(length);
      item(dissection, type, isV2);
      dissection.leave(outer);
      dissection.skip(Math.min(-length & 3, dissection.left()));
    }
    dissection.leave(before);
  }

  private static void item(Dissection dissection, int type, boolean isV2) {
    if (type == OPTIONS_TYPE) {
      dissection.add(isV2 ? OPTIONS : OPTIONS_3);
    } else if (type == AUTHENTICATION_TYPE && isV2) {
      dissection.add(NUMBER);
      dissection.addLeft(DIGEST);
    } else {
      dissection.addLeft(VALUE);
    }
  }

  private static void trailer(Dissection dissection) {
    dissection.add(TRAILER_TYPE);
    int length = (int) dissection.add(TRAILER_LENGTH);
    dissection.add(TRAILER_RESERVED);
    dissection.add(ASSOCIATION);
    dissection.add(TRAILER_NUMBER);
    int before = dissection.enter(length - TRAILER_HEADER_BYTES);
    dissection.addLeft(TRAILER_DATA);
    dissection.leave(before);
  }
}
