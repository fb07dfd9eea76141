package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.FLAG;
import static io.linerate.decode.Kind.HEX;
import static io.linerate.decode.Kind.NONE;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.ValueNames;
import java.util.Map;

/** Extension headers of GTP: a length in units of four bytes, content, the type of the next. */
final class GtpExtensions {
  private final Field next;
  private final Field extension;
  private final Field length;
  private final Field udpPort;
  private final Field pdcpNumber;
  private final Field longPdcpNumber;
  private final Field container;
  private final Field pduType;
  private final Field spareBits;
  private final Field spareUplink;
  private final Field hasPaging;
  private final Field isReflective;
  private final Field flow;

  GtpExtensions(Fields owner) {
    owner.source("3GPP TS 29.281, section 5.2");
    next =
        owner.floating(
            "gtp.ext_hdr.next",
            8,
            HEX,
            "Next extension header",
            ValueNames.of(
                Map.of(
                    0x00, "No more",
                    0x20, "Service class indicator",
                    0x40, "UDP port",
                    0x81, "RAN container",
                    0x82, "Long PDCP PDU number",
                    0x84, "NR RAN container",
                    0x85, "PDU session container",
                    0xC0, "PDCP PDU number")));
    extension = owner.floating("gtp.ext_hdr", 0, NONE, "Extension header");
    length = owner.floating("gtp.ext_hdr.length", 8, DECIMAL, "Length of the extension header");
    udpPort = owner.floating("gtp.ext_hdr.udp_port", 16, DECIMAL, "UDP port");
    pdcpNumber = owner.floating("gtp.ext_hdr.pdcp_sn", 16, DECIMAL, "PDCP number");
    longPdcpNumber = owner.floating("gtp.ext_hdr.long_pdcp_sn", 24, DECIMAL, "Long PDCP number");
    container = owner.floating("gtp.ext_hdr.ran_cont", 0, BYTES, "RAN container");
    owner.source("3GPP TS 38.415, section 5.5");
    pduType =
        owner.floating(
            "gtp.ext_hdr.pdu_ses_con.pdu_type",
            8,
            DECIMAL,
            "Type of the PDU session information",
            ValueNames.from0("Downlink", "Uplink"));
    spareBits = owner.floating("gtp.spare.h1", 8, HEX, "Spare");
    spareUplink = owner.floating("gtp.spare.b7b6", 8, HEX, "Spare");
    hasPaging = owner.floating("gtp.ext_hdr.pdu_ses_cont.ppp", 8, FLAG, "Paging policy present");
    isReflective = owner.floating("gtp.ext_hdr.pdu_ses_cont.rqi", 8, FLAG, "Reflective QoS");
    flow = owner.floating("gtp.ext_hdr.pdu_ses_con.qos_flow_id", 8, DECIMAL, "QoS flow");
  }

  /** With the cursor at the type of the first. */
  void dissect(Dissection dissection) {
    int type = (int) dissection.add(next);
    while (type != 0 && dissection.left() > 0) {
      int bytes = 4 * dissection.u8(0);
      if (bytes == 0) {
        dissection.malformed();
        return;
      }
      dissection.open(extension, bytes);
      dissection.add(length);
      int before = dissection.enter(Math.min(bytes - 2, dissection.left()));
      content(dissection, type);
      dissection.leave(before);
      type = (int) dissection.add(next);
      dissection.close();
    }
  }

  private void content(Dissection dissection, int type) {
    switch (type) {
      case 0x40 -> dissection.add(udpPort);
      case 0x81 -> dissection.addLeft(container);
      case 0x82 -> dissection.add(longPdcpNumber);
      case 0x85 -> session(dissection);
      case 0xC0 -> dissection.add(pdcpNumber);
      default -> {}
    }
  }

  private void session(Dissection dissection) {
    int first = dissection.u8(0);
    int second = dissection.u8(1);
    if (!dissection.has(2)) {
      return;
    }
    boolean isDownlink = first >>> 4 == 0;
    dissection.value(pduType, first >>> 4, 0, 1);
    dissection.value(spareBits, first & 0xF, 0, 1);
    if (isDownlink) {
      dissection.value(hasPaging, second >>> 7, 1, 1);
      dissection.value(isReflective, (second >>> 6) & 1, 1, 1);
    } else {
      dissection.value(spareUplink, second >>> 6, 1, 1);
    }
    dissection.value(flow, second & 0x3F, 1, 1);
  }
}
