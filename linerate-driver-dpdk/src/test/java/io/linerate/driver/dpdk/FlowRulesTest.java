package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortException;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.worker.Engine;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flow rules of devices: by rte_flow, in the words of their drivers. */
class FlowRulesTest {
  private static final EngineConfig TWO_QUEUES =
      EngineConfig.DEFAULT.withQueues(2).withMaxWorkers(2);
  private static final SteeringRule DNS = SteeringRule.parse("ipv4 udp dport 53 queue 1");

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"net_null5", "net_ring5"})
  void shouldSayInTheDriversWordsThatADeviceCannot(String device) {
    try (Engine engine = new Engine(TWO_QUEUES)) {
      DriverPort port = engine.drivers().open("in", "dpdk-shared:" + device);
      port.start();
      FlowSteering steering = Objects.requireNonNull(port.steering());
      assertThatThrownBy(() -> steering.add(DNS))
          .isInstanceOf(PortException.class)
          .hasMessageContainingAll(
              "port=in", "rule=ipv4 udp dport 53 queue 1", "rte_flow_create", "text=")
          .hasMessageContaining("driver's words=Function not implemented");
      assertThat(steering.rules()).isEmpty();
      assertThat(steering.remove(DNS)).isFalse();
      assertThatThrownBy(() -> steering.add(SteeringRule.toQueue(2)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("queues=2");
    }
  }

  @Test
  void shouldRefuseAtTheStartWhatTheConfigurationSays() {
    try (Engine engine = new Engine(TWO_QUEUES.with("steer", "in=" + DNS))) {
      DriverPort port = engine.drivers().open("in", "dpdk-shared:net_null6");
      assertThatThrownBy(port::start)
          .isInstanceOf(PortException.class)
          .hasMessageContaining("driver's words=Function not implemented");
    }
  }

  /** net_tap has them kept by the kernel, which needs its classifier flower for that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ipv4 udp dport 53 queue 1",
        "udp queue 1",
        "vlan 100 queue 0",
        "ethertype 0x88f7 queue 1",
        "src 10.0.0.0/8 queue 1",
        "tcp src 2001:db8::/32 dport 80 queue 1"
      })
  void shouldGiveTheDeviceRulesThatItUnderstands(String text) {
    try (Engine engine = new Engine(TWO_QUEUES)) {
      String name = "ldf" + ProcessHandle.current().pid();
      DriverPort port = engine.drivers().open("in", "dpdk-shared:net_tap5,iface=" + name);
      SteeringRule rule = SteeringRule.parse(text);
      FlowSteering steering = Objects.requireNonNull(port.steering());
      port.start();
      try {
        steering.add(rule);
      } catch (PortException e) {
        // It passed rte_flow_validate: tap_flow_create of rte_eth_tap's tap_flow.c says so.
        assertThat(e).hasMessageContaining("driver's words=overlapping rules or Kernel too old");
        assertThat(steering.rules()).isEmpty();
        assumeTrue(false, "the kernel has no classifier flower, or no multiq");
      }
      assertThat(steering.rules()).containsExactly(rule);
      assertThat(steering.remove(rule)).isTrue();
      assertThat(steering.rules()).isEmpty();
    }
  }

  /** What is not understood is refused before the kernel is asked. */
  @Test
  void shouldSayWhatTheDriverDoesNotUnderstand() {
    try (Engine engine = new Engine(TWO_QUEUES)) {
      String name = "ldg" + ProcessHandle.current().pid();
      DriverPort port = engine.drivers().open("in", "dpdk-shared:net_tap6,iface=" + name);
      port.start();
      FlowSteering steering = Objects.requireNonNull(port.steering());
      assertThatThrownBy(() -> steering.add(SteeringRule.parse("sctp dport 9 queue 1")))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("driver's words=item not supported");
    }
  }
}
