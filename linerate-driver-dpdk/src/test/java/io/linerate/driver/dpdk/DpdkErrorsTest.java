package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What goes wrong is one clear exception, and the engine can still be closed. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DpdkErrorsTest {
  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  /** The first engine has the process's one environment. */
  @Test
  @Order(1)
  void shouldExplainWhatCannotBeOpenedAndGoOn() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.with("blacklist", "03:00.0"))) {
      assertThatThrownBy(() -> engine.port("dpdk:03:00.0"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("device is blocked");
      assertThatThrownBy(() -> engine.port("dpdk:net_nosuch0"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("devargs=net_nosuch0");
      assertThatThrownBy(() -> engine.port("dpdk:fffe:1f:1e.5"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("fffe:1f:1e.5")
          .hasMessageContaining("vfio-pci");
      assertThatThrownBy(() -> engine.port("dpdk:net_null0,nonsense=1"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("nonsense=1");
      assertThatThrownBy(() -> engine.port("dpdk:net_null0,size=9000"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("size=9000");
      assertThatThrownBy(() -> engine.port("dpdk:net_af_packet0,iface=nosuchif"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("iface=nosuchif");
      engine.port("dpdk:net_null0,size=64");
      assertThatThrownBy(() -> engine.port("dpdk:net_null0"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("in use already")
          .hasMessageContaining("net_null1");
      assertThatThrownBy(DpdkErrorsTest::startSecondEnvironment)
          .isInstanceOf(PortException.class)
          .hasMessageContaining("only once in a process");
    }
  }

  @Test
  @Order(2)
  void shouldRefuseASecondEnvironmentAfterTheFirstHasEnded() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("dpdk:net_null0"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("only once in a process");
    }
  }

  @Test
  @Order(3)
  void shouldLeaveNoRuntimeDirectory() {
    assertThat(Path.of(DpdkLibrary.runtimeDir())).doesNotExist();
  }

  private static void startSecondEnvironment() {
    try (Engine second = new Engine()) {
      second.port("dpdk:net_null5");
    }
  }
}
