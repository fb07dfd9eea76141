package io.linerate.filter.code;

/**
 * Where a packet's headers begin. Keywords such as {@code vlan} move it on for all that follows
 * them in the text.
 *
 * <p>Offsets of the network header count from the begin of the link's payload.
 */
final class LinkLayout {
  int link;
  int previousLink;
  final int outermostLink;

  final Offset linkHeader = new Offset();
  final Offset previousLinkHeader = new Offset();

  /** Constant part of where the first link header begins. */
  final int outermostConstant;

  final Offset linkType = new Offset();
  final Offset linkPayload = new Offset();
  int network;
  int networkWithoutSnap;

  /** Labels of MPLS that were named. */
  int mplsLabels;

  boolean isGeneve;

  /** Whether packets begin with SunATM's header. */
  boolean isAtm;

  /** Length indicators and fields of MTP2 and MTP3; {@link Offset#NOT_SET} of other types. */
  int lengthIndicator = Offset.NOT_SET;

  int longLengthIndicator = Offset.NOT_SET;
  int serviceIndicator = Offset.NOT_SET;
  int pointCode = Offset.NOT_SET;
  int linkSelection = Offset.NOT_SET;

  private boolean isInside;
  private int outermostHeaderRegister = Registers.NONE;
  private int outermostPayloadRegister = Registers.NONE;
  private boolean hasNewPayload;

  /** Whether the type is one that filters can be compiled for. */
  final boolean isKnown;

  LinkLayout(int link) {
    this.link = link;
    outermostLink = link;
    previousLink = link;
    isKnown = begin();
    outermostConstant = linkHeader.constant;
    previousLinkHeader.copy(linkHeader);
  }

  /** From here on a header inside another counts. */
  void enter(int newLink, boolean isVariable, int constant, int register) {
    if (!isInside) {
      isInside = true;
      outermostHeaderRegister = linkHeader.register;
    }
    previousLink = link;
    previousLinkHeader.copy(linkHeader);
    link = newLink;
    linkHeader.isVariable = isVariable;
    linkHeader.constant = constant;
    linkHeader.register = register;
    isGeneve = false;
  }

  /** From here on a register of its own says where the link's payload begins. */
  void enterPayload(int register) {
    if (!hasNewPayload) {
      hasNewPayload = true;
      outermostPayloadRegister = linkPayload.register;
    }
    linkPayload.register = register;
    linkPayload.isVariable = true;
    linkPayload.constant = 0;
  }

  /** The register that holds where the first link header begins, if one does. */
  int outermostHeaderRegister() {
    return isInside ? outermostHeaderRegister : linkHeader.register;
  }

  /** Has a register hold where the first link header begins. */
  void outermostHeaderRegister(int register) {
    if (isInside) {
      outermostHeaderRegister = register;
    } else {
      linkHeader.register = register;
    }
  }

  /** The register that holds where the first link header's payload begins, if one does. */
  int outermostPayloadRegister() {
    return hasNewPayload ? outermostPayloadRegister : linkPayload.register;
  }

  private boolean begin() {
    switch (link) {
      case Links.ARCNET -> set(2, 6, 0, 0);
      case Links.ARCNET_LINUX -> set(4, 8, 0, 0);
      case Links.ETHERNET -> set(12, 14, 0, 3);
      case Links.NULL, Links.LOOP -> set(0, 4, 0, 0);
      case Links.ENC -> set(0, 12, 0, 0);
      case Links.PPP, Links.PPP_PPPD, Links.C_HDLC, Links.PPP_HDLC -> set(2, 4, 0, 0);
      case Links.PPP_ETHER -> set(6, 8, 0, 0);
      case Links.PPP_BSDOS -> set(5, 24, 0, 0);
      case Links.FDDI -> set(13, 13, 8, 3);
      case Links.IEEE802_5 -> set(14, 14, 8, 3);
      case Links.IEEE802_11 -> wireless(false);
      case Links.PRISM, Links.AVS, Links.RADIOTAP, Links.PPI -> wireless(true);
      case Links.ATM_RFC1483, Links.ATM_CLIP -> set(0, 0, 8, 3);
      case Links.SUNATM -> {
        isAtm = true;
        set(AtmTests.PAYLOAD, AtmTests.PAYLOAD, 8, 3);
      }
      case Links.LINUX_SLL -> set(14, 16, 0, 0);
      case Links.LINUX_SLL2 -> set(0, 20, 0, 0);
      case Links.IP_OVER_FC -> set(16, 16, 8, 3);
      case Links.APPLE_IP_OVER_IEEE1394 -> set(16, 18, 0, 0);
      case Links.SYMANTEC -> set(6, 44, 0, 0);
      case Links.PFLOG -> {
        set(0, 0, 0, 0);
        linkPayload.isVariable = true;
      }
      case Links.IPNET -> set(1, 24, 0, Offset.NOT_SET);
      case Links.NETANALYZER -> behind(4);
      case Links.NETANALYZER_TRANSPARENT -> behind(12);
      default -> {
        return withoutType() || juniper() || mtp() || none();
      }
    }
    return true;
  }

  /** Types that do not say what follows. */
  private boolean withoutType() {
    switch (link) {
      case Links.SLIP -> set(Offset.NOT_SET, 16, 0, 0);
      case Links.SLIP_BSDOS -> set(Offset.NOT_SET, 24, 0, 0);
      case Links.RAW, Links.IPV4, Links.IPV6, Links.LTALK, Links.FRELAY ->
          set(Offset.NOT_SET, 0, 0, 0);
      case Links.MFR -> set(Offset.NOT_SET, 0, 4, 0);
      case Links.PFSYNC -> set(Offset.NOT_SET, 4, 0, 0);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean juniper() {
    int none = Offset.NOT_SET;
    switch (link) {
      case Links.JUNIPER_MFR,
          Links.JUNIPER_MLFR,
          Links.JUNIPER_MLPPP,
          Links.JUNIPER_PPP,
          Links.JUNIPER_CHDLC,
          Links.JUNIPER_FRELAY ->
          set(4, 4, 0, none);
      case Links.JUNIPER_ATM1 -> set(4, 4, 0, 10);
      case Links.JUNIPER_ATM2 -> set(8, 8, 0, 10);
      case Links.JUNIPER_PPPOE, Links.JUNIPER_ETHER -> set(16, 14, 18, 21);
      case Links.JUNIPER_PPPOE_ATM -> set(4, 6, 0, none);
      case Links.JUNIPER_GGSN -> set(6, 12, 0, none);
      case Links.JUNIPER_ES -> set(6, none, none, none);
      case Links.JUNIPER_MONITOR -> set(12, 12, 0, none);
      case Links.JUNIPER_SERVICES -> set(12, none, none, none);
      case Links.JUNIPER_VP, Links.JUNIPER_ST -> set(18, none, none, none);
      case Links.JUNIPER_ISM,
          Links.JUNIPER_VS,
          Links.JUNIPER_SRX_E2E,
          Links.JUNIPER_FIBRECHANNEL,
          Links.JUNIPER_ATM_CEMIC ->
          set(8, none, none, none);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean mtp() {
    int start =
        switch (link) {
          case Links.MTP2 -> 0;
          case Links.MTP2_WITH_PHDR -> 4;
          case Links.ERF -> 20;
          default -> -1;
        };
    if (start < 0) {
      return false;
    }
    lengthIndicator = start + 2;
    longLengthIndicator = start + 4;
    serviceIndicator = start + 3;
    pointCode = start + 4;
    linkSelection = start + 7;
    set(Offset.NOT_SET, Offset.NOT_SET, Offset.NOT_SET, Offset.NOT_SET);
    return true;
  }

  /** Types of which only {@code link[]} can be read. */
  private boolean none() {
    set(Offset.NOT_SET, Offset.NOT_SET, Offset.NOT_SET, Offset.NOT_SET);
    return link >= Links.FIRST_OF_ANY;
  }

  private void set(int type, int payload, int newNetwork, int newNetworkWithoutSnap) {
    linkType.constant = type;
    linkPayload.constant = payload;
    network = newNetwork;
    networkWithoutSnap = newNetworkWithoutSnap;
  }

  private void wireless(boolean hasRadioHeader) {
    set(24, 0, 8, 3);
    linkPayload.isVariable = true;
    linkHeader.isVariable = hasRadioHeader;
  }

  /** Ethernet behind a header of fixed length. */
  private void behind(int bytes) {
    linkHeader.constant = bytes;
    set(bytes + 12, bytes + 14, 0, 3);
  }
}
