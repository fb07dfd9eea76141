package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.IPV4;
import static io.linerate.decode.Kind.IPV6;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;

/** Information elements of the messages of GTP-U: types below 128 have fixed lengths. */
final class GtpElements {
  private static final int RECOVERY = 14;
  private static final int TUNNEL = 16;
  private static final int FIRST_WITH_LENGTH = 128;
  private static final int PEER_ADDRESS = 133;
  private static final int HEADER_TYPES = 141;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private final Field recovery;
  private final Field tunnel;
  private final Field addressLength;
  private final Field ipv4;
  private final Field ipv6;
  private final Field typesCount;
  private final Field headerType;
  private final Field unknown;

  GtpElements(Fields owner) {
    owner.source("3GPP TS 29.281, section 8");
    recovery = owner.floating("gtp.recovery", 8, DECIMAL, "Recovery");
    tunnel = owner.floating("gtp.teid_data", 32, HEX, "Tunnel of the data");
    addressLength = owner.floating("gtp.gsn_address_length", 16, DECIMAL, "Length of the address");
    ipv4 = owner.floating("gtp.gsn_ipv4", 32, IPV4, "Address of the peer");
    ipv6 = owner.floating("gtp.gsn_ipv6", 128, IPV6, "Address of the peer");
    typesCount =
        owner.floating("gtp.num_ext_hdr_types", 8, DECIMAL, "Number of extension header types");
    headerType = owner.floating("gtp.ext_hdr_type", 8, DECIMAL, "Extension header type");
    unknown = owner.floating("gtp.ie", 0, BYTES, "Information element");
  }

  void dissect(Dissection dissection) {
    while (dissection.left() > 0) {
      int type = dissection.u8(0);
      if (type == RECOVERY) {
        dissection.skip(1);
        dissection.add(recovery);
      } else if (type == TUNNEL) {
        dissection.skip(1);
        dissection.add(tunnel);
      } else if (type == HEADER_TYPES) {
        headerTypes(dissection);
      } else if (type == PEER_ADDRESS) {
        address(dissection);
      } else if (type >= FIRST_WITH_LENGTH) {
        dissection.add(unknown, 3 + dissection.u16(1));
      } else {
        dissection.addLeft(unknown);
      }
    }
  }

  private void headerTypes(Dissection dissection) {
    dissection.skip(1);
    int count = (int) dissection.add(typesCount);
    for (int i = 0; i < count && dissection.left() > 0; i++) {
      dissection.add(headerType);
    }
  }

  private void address(Dissection dissection) {
    dissection.skip(1);
    int bytes = (int) dissection.add(addressLength);
    if (bytes == IPV4_BYTES) {
      dissection.add(ipv4);
    } else if (bytes == IPV6_BYTES) {
      dissection.add(ipv6);
    } else {
      dissection.skip(bytes);
    }
  }
}
