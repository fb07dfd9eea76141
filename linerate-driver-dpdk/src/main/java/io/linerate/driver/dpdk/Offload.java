package io.linerate.driver.dpdk;

import java.util.Locale;

/** What a device may do in place of the program, as an address names it. */
enum Offload {
  /** Says of received packets whether IPv4, TCP and UDP checksums are right. */
  RX_CHECKSUM(false, false, "IPV4_CKSUM UDP_CKSUM TCP_CKSUM"),

  /** Makes TCP and UDP checksums, and those of IPv4 headers that it changes. */
  TX_CHECKSUM(true, true, "UDP_CKSUM TCP_CKSUM"),

  /** Takes the outer VLAN tag off received frames. */
  VLAN_STRIP(false, true, "VLAN_STRIP"),

  /** Puts tags that stand beside packets into frames. */
  VLAN_INSERT(true, true, "VLAN_INSERT"),

  /** Cuts TCP packets that are too long, or stand for several. */
  TSO(true, true, "TCP_TSO TCP_CKSUM"),

  /** Receives frames that are longer than a buffer into several. */
  SCATTER(false, true, "SCATTER"),

  /** Sends packets of several segments. */
  MULTI_SEGMENT(true, true, "MULTI_SEGS"),

  /** Frees what it has sent without a look: buffers of one pool, of one segment, not shared. */
  FAST_FREE(true, true, "MBUF_FAST_FREE");

  private final boolean isTx;
  private final boolean needsAll;
  private final String names;

  /**
   * @param needsAll whether the device has to have all of the bits, or one of them
   * @param names DPDK's, of the bits, with blanks between
   */
  Offload(boolean isTx, boolean needsAll, String names) {
    this.isTx = isTx;
    this.needsAll = needsAll;
    this.names = names;
  }

  boolean isTx() {
    return isTx;
  }

  /** As it stands in an address, such as {@code rx-checksum}. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The bits of it that a device has; 0 if these are too few. */
  long bits(DeviceInfo info) {
    long capabilities = isTx ? info.txOffloads() : info.rxOffloads();
    long wanted = 0;
    for (String name : names.split(" ", -1)) {
      wanted |= OffloadNames.bit(name, isTx);
    }
    long had = capabilities & wanted;
    return needsAll && had != wanted ? 0 : had;
  }
}
