package io.linerate.wire;

import java.util.Map;

/** Ether types, as IANA's registry "IEEE 802 Numbers" has them. A name is that of the constant. */
public final class EtherType {
  public static final int IPV4 = 0x0800;
  public static final int ARP = 0x0806;
  public static final int WAKE_ON_LAN = 0x0842;
  public static final int RARP = 0x8035;
  public static final int VLAN = 0x8100;
  public static final int IPV6 = 0x86DD;
  public static final int SLOW_PROTOCOLS = 0x8809;
  public static final int MPLS = 0x8847;
  public static final int MPLS_MULTICAST = 0x8848;
  public static final int PPPOE_DISCOVERY = 0x8863;
  public static final int PPPOE_SESSION = 0x8864;
  public static final int EAPOL = 0x888E;
  public static final int PROVIDER_BRIDGE = 0x88A8;
  public static final int LLDP = 0x88CC;
  public static final int MACSEC = 0x88E5;
  public static final int PTP = 0x88F7;

  /** What stacked tags were marked with before 802.1ad; still met. */
  public static final int QINQ_LEGACY = 0x9100;

  /** The smallest ether type: what is smaller is the length of an IEEE 802.3 frame. */
  public static final int MIN = 0x0600;

  private static final ConstantNames NAMES = new ConstantNames(EtherType.class, Map.of());

  private EtherType() {}

  /** Whether a VLAN tag follows this ether type. */
  public static boolean isVlan(int etherType) {
    return etherType == VLAN || etherType == PROVIDER_BRIDGE || etherType == QINQ_LEGACY;
  }

  /** The name, or the number in the form {@code 0x88b5} when it has none here. */
  public static String name(int etherType) {
    return NAMES.name(etherType, "0x%04x");
  }

  /** The number that a name (in any case) stands for, or -1. */
  public static int number(String name) {
    return NAMES.number(name);
  }
}
