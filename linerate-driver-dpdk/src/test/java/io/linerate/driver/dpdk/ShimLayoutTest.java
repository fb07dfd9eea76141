package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.driver.Mbuf;
import org.junit.jupiter.api.Test;

class ShimLayoutTest {
  private static final long[] GOOD = {
    22,
    11,
    128,
    128,
    128,
    0,
    16,
    18,
    20,
    22,
    24,
    36,
    40,
    54,
    56,
    64,
    92,
    128,
    Mbuf.HAS_TIMESTAMP,
    64,
    42,
    72,
    3,
    Mbuf.HAS_VLAN_TAG,
    Mbuf.TRANSPORT_CHECKSUM_BAD,
    Mbuf.TRANSPORT_CHECKSUM_GOOD,
    Mbuf.IP_CHECKSUM_BAD,
    Mbuf.IP_CHECKSUM_GOOD,
    TxPreparation.VLAN,
    TxPreparation.IPV4,
    TxPreparation.IPV6,
    TxPreparation.IP_CHECKSUM,
    TxPreparation.TCP_CHECKSUM,
    TxPreparation.UDP_CHECKSUM,
    TxPreparation.TCP_SEGMENTS,
    TxPreparation.EACH_LENGTH_ONE
  };

  @Test
  void shouldAcceptTheLayoutThatJavaReadsBy() {
    assertThat(new ShimLayout(GOOD).problem("DPDK 22.11.11")).isEmpty();
  }

  @Test
  void shouldAcceptReleasesOfTheSameAbi() {
    assertThat(new ShimLayout(GOOD).problem("DPDK 23.07.0")).isEmpty();
  }

  @Test
  void shouldRefuseAnotherAbi() {
    assertThat(new ShimLayout(GOOD).problem("DPDK 23.11.0"))
        .contains("built=22.11", "found=DPDK 23.11.0", "build again");
    assertThat(new ShimLayout(GOOD).problem("DPDK 21.11.0")).contains("found=DPDK 21.11.0");
  }

  @Test
  void shouldRefuseEveryMovedField() {
    for (int field = 5; field < ShimLayout.COUNT; field++) {
      if (field == ShimLayout.XSTAT_NAME_BYTES || field == ShimLayout.RSS_TYPES) {
        continue;
      }
      long[] moved = GOOD.clone();
      moved[field] += field == ShimLayout.DYNAMIC_FIELDS_END ? -8 : 40;
      assertThat(new ShimLayout(moved).problem("DPDK 22.11.11"))
          .as("field %d", field)
          .contains("another layout", "expected=");
    }
  }

  @Test
  void shouldRefuseAShimOfAnotherSource() {
    assertThat(new ShimLayout(22, 11).problem("DPDK 22.11.11")).contains("values=2");
  }
}
