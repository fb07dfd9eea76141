package io.linerate.driver.dpdk;

import io.linerate.core.driver.Mbuf;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the shim was compiled with: DPDK's version, struct offsets and constants, in the order of
 * {@code lr_layout} in linerate_dpdk.c. Java reads packets by constant offsets, so a shim with
 * other ones is refused.
 */
final class ShimLayout {
  static final int VERSION_YEAR = 0;
  static final int VERSION_MONTH = 1;
  static final int HEADER_BYTES = 2;
  static final int HEADROOM_BYTES = 3;
  static final int MAX_LCORES = 4;
  static final int DYNAMIC_FIELDS_START = 16;
  static final int DYNAMIC_FIELDS_END = 17;
  static final int FLAG_LAST_FREE = 18;
  static final int XSTAT_NAME_BYTES = 19;
  static final int RSS_TYPES = 22;
  static final int COUNT = 36;

  private static final Pattern VERSION = Pattern.compile("DPDK (\\d+)\\.(\\d+).*");

  /** Values that must be the same on both sides. */
  private enum Fixed {
    HEADER_SIZE(HEADER_BYTES, Mbuf.HEADER_BYTES),
    BUF_ADDR(5, Mbuf.BUFFER_ADDRESS_OFFSET),
    DATA_OFF(6, Mbuf.DATA_OFFSET_OFFSET),
    REFCNT(7, Mbuf.REFERENCES_OFFSET),
    NB_SEGS(8, Mbuf.SEGMENTS_OFFSET),
    PORT(9, Mbuf.PORT_OFFSET),
    OL_FLAGS(10, Mbuf.FLAGS_OFFSET),
    PKT_LEN(11, Mbuf.PACKET_LENGTH_OFFSET),
    DATA_LEN(12, Mbuf.DATA_LENGTH_OFFSET),
    BUF_LEN(13, Mbuf.BUFFER_LENGTH_OFFSET),
    POOL(14, Mbuf.POOL_OFFSET),
    NEXT(15, Mbuf.NEXT_OFFSET),
    LAST_FREE(FLAG_LAST_FREE, Mbuf.HAS_TIMESTAMP),
    VLAN_TCI(20, Mbuf.VLAN_TAG_OFFSET),
    TX_OFFLOAD(21, Mbuf.TX_OFFLOAD_OFFSET),
    RX_VLAN(23, Mbuf.HAS_VLAN_TAG),
    RX_L4_CKSUM_BAD(24, Mbuf.TRANSPORT_CHECKSUM_BAD),
    RX_L4_CKSUM_GOOD(25, Mbuf.TRANSPORT_CHECKSUM_GOOD),
    RX_IP_CKSUM_BAD(26, Mbuf.IP_CHECKSUM_BAD),
    RX_IP_CKSUM_GOOD(27, Mbuf.IP_CHECKSUM_GOOD),
    TX_VLAN(28, TxPreparation.VLAN),
    TX_IPV4(29, TxPreparation.IPV4),
    TX_IPV6(30, TxPreparation.IPV6),
    TX_IP_CKSUM(31, TxPreparation.IP_CHECKSUM),
    TX_TCP_CKSUM(32, TxPreparation.TCP_CHECKSUM),
    TX_UDP_CKSUM(33, TxPreparation.UDP_CHECKSUM),
    TX_TCP_SEG(34, TxPreparation.TCP_SEGMENTS),
    TX_OFFLOAD_LENGTHS(35, TxPreparation.EACH_LENGTH_ONE);

    final int index;
    final long expected;

    Fixed(int index, long expected) {
      this.index = index;
      this.expected = expected;
    }
  }

  private final long[] values;

  ShimLayout(long... values) {
    this.values = values.clone();
  }

  long get(int index) {
    return values[index];
  }

  /** Why this layout cannot be used with DPDK {@code runTimeVersion}; "" if it can. */
  String problem(String runTimeVersion) {
    if (values.length != COUNT) {
      return "reason=the shim is of another Linerate: values=%d, expected=%d; build again"
          .formatted(values.length, COUNT);
    }
    for (Fixed field : Fixed.values()) {
      if (values[field.index] != field.expected) {
        return otherLayout(field.name(), values[field.index], field.expected);
      }
    }
    if (get(DYNAMIC_FIELDS_START) > Mbuf.OFFLOADS_OFFSET
        || get(DYNAMIC_FIELDS_END) < Mbuf.TIMESTAMP_OFFSET + Long.BYTES) {
      return otherLayout("DYNFIELD1", get(DYNAMIC_FIELDS_START), Mbuf.OFFLOADS_OFFSET);
    }
    return versionProblem(runTimeVersion);
  }

  private String otherLayout(String field, long compiled, long expected) {
    return "reason=struct rte_mbuf of DPDK %d.%d has another layout: field=%s, compiled=%d, expected=%d; install DPDK 22.11 and build again"
        .formatted(get(VERSION_YEAR), get(VERSION_MONTH), field, compiled, expected);
  }

  private String versionProblem(String runTimeVersion) {
    Matcher version = VERSION.matcher(runTimeVersion);
    long compiled = abi(get(VERSION_YEAR), get(VERSION_MONTH));
    if (version.matches()
        && abi(Long.parseLong(version.group(1)), Long.parseLong(version.group(2))) == compiled) {
      return "";
    }
    return "reason=the shim was built with another DPDK: built=%d.%d, found=%s; build again, or install the one that it was built with"
        .formatted(get(VERSION_YEAR), get(VERSION_MONTH), runTimeVersion);
  }

  /**
   * The ABI year: stable from one November release to the release before the next (DPDK contributor
   * guide, ABI policy).
   */
  private static long abi(long year, long month) {
    return month >= 11 ? year + 1 : year;
  }
}
