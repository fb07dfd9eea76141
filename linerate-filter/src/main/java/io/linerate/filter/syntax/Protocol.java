package io.linerate.filter.syntax;

import java.util.Locale;

/** Protocols that have keywords. */
public enum Protocol {
  /** None is named. */
  ANY,
  LINK,
  IP,
  ARP,
  RARP,
  SCTP,
  TCP,
  UDP,
  ICMP,
  IGMP,
  IGRP,
  PIM,
  VRRP,
  CARP,
  ATALK,
  AARP,
  DECNET,
  LAT,
  SCA,
  MOPRC,
  MOPDL,
  IP6,
  ICMP6,
  AH,
  ESP,
  ISO,
  ESIS,
  ISIS,
  CLNP,
  L1,
  L2,
  IIH,
  LSP,
  SNP,
  CSNP,
  PSNP,
  STP,
  IPX,
  NETBEUI,
  RADIO;

  /** The keyword. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
