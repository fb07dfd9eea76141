package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.driver.PacketPool;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A device whose queues cannot be set up leaves no pool behind. */
class FailedSetupTest {
  /** Frames of its receive ring are longer than a buffer, which it finds out last. */
  private static final String BAD = "dpdk-shared:net_af_packet0,iface=lo,blocksz=8192,framesz=8192";

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
    assumeTrue("root".equals(System.getProperty("user.name")), "packet sockets need root");
  }

  @Test
  void shouldFreeThePoolOfAPortThatCannotBeSetUp() {
    try (Engine engine = new Engine()) {
      for (int i = 0; i < 5; i++) {
        // A pool that stayed would have the name of the next one.
        assertThatThrownBy(() -> engine.port(BAD))
            .isInstanceOf(PortException.class)
            .hasMessageContaining("call=rte_eth_rx_queue_setup");
      }
      PacketPool pool =
          Objects.requireNonNull(engine.drivers().open("dpdk-shared:net_null0,size=64").pool());
      assertThat(pool.available()).isEqualTo(pool.capacity());
    }
  }
}
