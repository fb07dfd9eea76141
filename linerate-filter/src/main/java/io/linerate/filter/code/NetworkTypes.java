package io.linerate.filter.code;

/**
 * Numbers of network protocols: ether types of IEEE 802.3 above {@link #MAX_SAP}, service access
 * points of IEEE 802.2 up to it.
 */
final class NetworkTypes {
  /** Above are ether types, where a length could be: IEEE 802.3, clause 3.2.6. */
  static final int MAX_SAP = 1_500;

  static final int XNS = 0x0600;
  static final int IPV4 = 0x0800;
  static final int ARP = 0x0806;
  static final int MOP_DL = 0x6001;
  static final int MOP_RC = 0x6002;
  static final int DECNET = 0x6003;
  static final int LAT = 0x6004;
  static final int SCA = 0x6007;
  static final int ETHERNET = 0x6558;
  static final int RARP = 0x8035;
  static final int APPLETALK = 0x809B;
  static final int AARP = 0x80F3;
  static final int VLAN = 0x8100;
  static final int IPX = 0x8137;
  static final int IPV6 = 0x86DD;
  static final int MPLS = 0x8847;
  static final int PPPOE_DISCOVERY = 0x8863;
  static final int PPPOE_SESSION = 0x8864;
  static final int SERVICE_VLAN = 0x88A8;
  static final int LOOPBACK = 0x9000;
  static final int OLD_SERVICE_VLAN = 0x9100;

  static final int SAP_IP = 0x06;
  static final int SAP_SPANNING_TREE = 0x42;
  static final int SAP_SNAP = 0xAA;
  static final int SAP_IPX = 0xE0;
  static final int SAP_NETBEUI = 0xF0;
  static final int SAP_OSI = 0xFE;

  /** MPLS in PPP: RFC 3032, section 4.3. */
  static final int PPP_MPLS = 0x0281;

  /** Van Jacobson's compression in PPP: RFC 1332, section 4. */
  static final int PPP_COMPRESSED_TCP = 0x002D;

  static final int PPP_UNCOMPRESSED_TCP = 0x002F;

  private NetworkTypes() {}

  static boolean isSap(int number) {
    return Integer.compareUnsigned(number, MAX_SAP) <= 0;
  }

  /** The number of a protocol in PPP: the registry of RFC 1661. */
  static int ofPpp(int number) {
    return switch (number) {
      case IPV4 -> 0x0021;
      case SAP_OSI -> 0x0023;
      case XNS -> 0x0025;
      case DECNET -> 0x0027;
      case APPLETALK -> 0x0029;
      case SAP_IPX -> 0x002B;
      case SAP_SPANNING_TREE -> 0x0031;
      case IPV6 -> 0x0057;
      default -> number;
    };
  }
}
