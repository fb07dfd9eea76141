package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A device that fails when its port is closed, as one that was pulled out does. */
class FailedCloseTest {
  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Test
  void shouldCloseTheRestWhenTheDeviceCannotBeAsked() {
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().open("dpdk-shared:net_null0,size=64");
      port.start();
      TxQueue queue = port.txQueue(0);
      assertThat(ShimFunction.STOP.call(0)).isZero();
      assertThat(ShimFunction.CLOSE.call(0)).isZero();
      assertThatThrownBy(port::close)
          .isInstanceOf(PortException.class)
          .hasMessageContaining("rte_eth_stats_get")
          .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
      assertThatThrownBy(() -> queue.send(new MbufArray(1), 0))
          .isInstanceOf(IllegalStateException.class);
      port.close();
      assertThat(port.statistics().txPackets()).isZero();
    }
  }
}
