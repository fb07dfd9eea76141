package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.HashField;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RssSettings;
import io.linerate.core.worker.Engine;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Receive-side scaling on net_null, which keeps what it is told: what is written is read again. It
 * hashes nothing, so that where packets go is for devices to show.
 */
class FlowSteeringTest {
  private static final EngineConfig FOUR_QUEUES = EngineConfig.DEFAULT.withQueues(4);

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Test
  void shouldReadWhatWasSetAndSayWhatIsNotPossible() {
    try (Engine engine = new Engine(FOUR_QUEUES)) {
      DriverPort port = engine.drivers().open("dpdk-shared:net_null0,size=64");
      port.start();
      FlowSteering steering = Objects.requireNonNull(port.steering());
      assertThat(steering.possibleFields()).containsAll(EnumSet.allOf(HashField.class));
      RssSettings before = steering.settings();
      assertThat(before.key()).hasSize(80);
      assertThat(before.isSymmetric()).isFalse();
      RssSettings wanted =
          before
              .withFields(Set.of(HashField.IPV4, HashField.IPV4_TCP))
              .symmetric()
              .withTable(
                  IntStream.range(0, before.table().size()).map(i -> i % 3).boxed().toList());
      steering.settings(wanted);
      assertThat(steering.settings()).isEqualTo(wanted);
      assertThat(wanted.isSymmetric()).isTrue();
      assertThat(wanted.table()).startsWith(0, 1, 2, 0).hasSizeGreaterThanOrEqualTo(64);

      assertThatThrownBy(() -> steering.settings(wanted.withKey("6d5a")))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("key bytes=2", "key of 40");
      assertThatThrownBy(() -> steering.settings(wanted.withTable(List.of(1))))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("table size=1");
      assertThatThrownBy(() ->
              steering.settings(wanted.withTable(Collections.nCopies(wanted.table().size(), 4))))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("queue in the table=4", "0 to 3");
      assertThat(steering.settings()).isEqualTo(wanted);
      port.close();
      assertThatThrownBy(steering::settings).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldDoWhatTheAddressSays() {
    try (Engine engine = new Engine(FOUR_QUEUES)) {
      DriverPort port =
          engine
              .drivers()
              .open("dpdk-shared:net_null1,rss=symmetric,size=64,rssfields=ipv6-udp+ipv4");
      port.start();
      RssSettings settings = Objects.requireNonNull(port.steering()).settings();
      assertThat(settings.isSymmetric()).isTrue();
      assertThat(settings.fields()).containsExactlyInAnyOrder(HashField.IPV4, HashField.IPV6_UDP);
    }
  }

  @Test
  void shouldSayThatADeviceHasNoRss() {
    try (Engine engine = new Engine(FOUR_QUEUES)) {
      DriverPort port = engine.drivers().open("dpdk-shared:net_ring0,rss=symmetric");
      assertThat(Objects.requireNonNull(port.steering()).possibleFields()).isEmpty();
      assertThatThrownBy(port::start)
          .isInstanceOf(PortException.class)
          .hasMessageContainingAll("no RSS", "queues=4");
    }
  }
}
