package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import io.linerate.decode.ValueNames;

/** Names of the payload types of RTP; RFC 3551, section 6. */
final class RtpPayloads {
  /** How many there are. */
  static final int COUNT = 128;

  static final ValueNames NAMES = value -> value < 0 || value >= COUNT ? null : name((int) value);

  private static final int FIRST_RESERVED = 72;
  private static final int LAST_RESERVED = 76;
  private static final int FIRST_DYNAMIC = 96;

  private static final String[] STATIC = {
    "ITU-T G.711 PCMU",
    "USA Federal Standard FS-1016",
    "ITU-T G.721",
    "GSM 06.10",
    "ITU-T G.723",
    "DVI4 8000 samples/s",
    "DVI4 16000 samples/s",
    "Experimental linear predictive encoding from Xerox PARC",
    "ITU-T G.711 PCMA",
    "ITU-T G.722",
    "16-bit uncompressed audio, stereo",
    "16-bit uncompressed audio, monaural",
    "Qualcomm Code Excited Linear Predictive coding",
    "Comfort noise",
    "MPEG-I/II Audio",
    "ITU-T G.728",
    "DVI4 11025 samples/s",
    "DVI4 22050 samples/s",
    "ITU-T G.729",
    "Comfort noise (old)",
    "Unassigned",
    "Unassigned",
    "Unassigned",
    "Unassigned",
    "Unassigned",
    "Sun CellB video encoding",
    "JPEG-compressed video",
    "Unassigned",
    "'nv' program",
    "Unassigned",
    "Unassigned",
    "ITU-T H.261",
    "MPEG-I/II Video",
    "MPEG-II transport streams",
    "ITU-T H.263",
  };

  private RtpPayloads() {}

  private static String name(int type) {
    if (type < STATIC.length) {
      return STATIC[type];
    }
    if (type >= FIRST_RESERVED && type <= LAST_RESERVED) {
      return "Reserved for RTCP conflict avoidance";
    }
    return type < FIRST_DYNAMIC ? "Unassigned" : "Dynamic";
  }

  /** What a type is called. */
  static CharSequence name(Dissection dissection, int type) {
    return type < FIRST_DYNAMIC
        ? name(type)
        : dissection.text().append("DynamicRTP-Type-").append(type);
  }
}
