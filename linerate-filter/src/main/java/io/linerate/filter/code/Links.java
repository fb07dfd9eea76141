package io.linerate.filter.code;

/** Numbers of link types that filters look into: tcpdump.org/linktypes.html. */
final class Links {
  static final int NULL = 0;
  static final int ETHERNET = 1;
  static final int IEEE802_5 = 6;
  static final int ARCNET = 7;
  static final int SLIP = 8;
  static final int PPP = 9;
  static final int FDDI = 10;
  static final int PPP_HDLC = 50;
  static final int PPP_ETHER = 51;
  static final int SYMANTEC = 99;
  static final int ATM_RFC1483 = 100;
  static final int RAW = 101;
  static final int SLIP_BSDOS = 102;
  static final int PPP_BSDOS = 103;
  static final int C_HDLC = 104;
  static final int IEEE802_11 = 105;
  static final int ATM_CLIP = 106;
  static final int FRELAY = 107;
  static final int LOOP = 108;
  static final int ENC = 109;
  static final int LINUX_SLL = 113;
  static final int LTALK = 114;
  static final int PFLOG = 117;
  static final int PRISM = 119;
  static final int IP_OVER_FC = 122;
  static final int SUNATM = 123;
  static final int RADIOTAP = 127;
  static final int ARCNET_LINUX = 129;
  static final int JUNIPER_MLPPP = 130;
  static final int JUNIPER_MLFR = 131;
  static final int JUNIPER_ES = 132;
  static final int JUNIPER_GGSN = 133;
  static final int JUNIPER_MFR = 134;
  static final int JUNIPER_ATM2 = 135;
  static final int JUNIPER_SERVICES = 136;
  static final int JUNIPER_ATM1 = 137;
  static final int APPLE_IP_OVER_IEEE1394 = 138;
  static final int MTP2_WITH_PHDR = 139;
  static final int MTP2 = 140;
  static final int AVS = 163;
  static final int JUNIPER_MONITOR = 164;
  static final int BACNET_MS_TP = 165;
  static final int PPP_PPPD = 166;
  static final int JUNIPER_PPPOE = 167;
  static final int JUNIPER_PPPOE_ATM = 168;
  static final int JUNIPER_ETHER = 178;
  static final int JUNIPER_PPP = 179;
  static final int JUNIPER_FRELAY = 180;
  static final int JUNIPER_CHDLC = 181;
  static final int MFR = 182;
  static final int JUNIPER_VP = 183;
  static final int PPI = 192;
  static final int JUNIPER_ISM = 194;
  static final int ERF = 197;
  static final int JUNIPER_ST = 200;
  static final int IPNET = 226;
  static final int IPV4 = 228;
  static final int IPV6 = 229;
  static final int JUNIPER_VS = 232;
  static final int JUNIPER_SRX_E2E = 233;
  static final int JUNIPER_FIBRECHANNEL = 234;
  static final int JUNIPER_ATM_CEMIC = 238;
  static final int NETANALYZER = 240;
  static final int NETANALYZER_TRANSPARENT = 241;
  static final int PFSYNC = 246;
  static final int LINUX_SLL2 = 276;

  /** From here on all numbers are those of the registry, and {@code link[]} reads them all. */
  static final int FIRST_OF_ANY = 104;

  private Links() {}

  static boolean isEthernet(int link) {
    return link == ETHERNET || link == NETANALYZER || link == NETANALYZER_TRANSPARENT;
  }

  /** IEEE 802.11, behind a radio header or none. */
  static boolean isWireless(int link) {
    return isWirelessWithoutPpi(link) || link == PPI;
  }

  static boolean isWirelessWithoutPpi(int link) {
    return link == IEEE802_11 || link == PRISM || link == AVS || link == RADIOTAP;
  }

  static boolean isMtp(int link) {
    return link == MTP2 || link == MTP2_WITH_PHDR || link == ERF;
  }

  static boolean isArcnet(int link) {
    return link == ARCNET || link == ARCNET_LINUX;
  }

  /** Types of Juniper's routers, whose packets begin with a number and a direction. */
  static boolean isJuniper(int link) {
    return switch (link) {
      case JUNIPER_MFR,
          JUNIPER_MLFR,
          JUNIPER_MLPPP,
          JUNIPER_ATM1,
          JUNIPER_ATM2,
          JUNIPER_PPPOE,
          JUNIPER_PPPOE_ATM,
          JUNIPER_GGSN,
          JUNIPER_ES,
          JUNIPER_MONITOR,
          JUNIPER_SERVICES,
          JUNIPER_ETHER,
          JUNIPER_PPP,
          JUNIPER_FRELAY,
          JUNIPER_CHDLC,
          JUNIPER_VP,
          JUNIPER_ST,
          JUNIPER_ISM,
          JUNIPER_VS,
          JUNIPER_SRX_E2E,
          JUNIPER_FIBRECHANNEL,
          JUNIPER_ATM_CEMIC ->
          true;
      default -> false;
    };
  }
}
