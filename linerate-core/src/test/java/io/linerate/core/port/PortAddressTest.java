package io.linerate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortAddressTest {
  @Test
  void shouldSplitAtTheFirstColon() {
    PortAddress address = PortAddress.parse("dpdk:0000:03:00.0");
    assertThat(address).isEqualTo(new PortAddress("dpdk", "0000:03:00.0"));
    assertThat(address).hasToString("dpdk:0000:03:00.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "pcap", ":rest", "PCAP:x", "1pcap:x", "a b:x", "é:x"})
  void shouldRefuseWhatIsNoAddress(String text) {
    assertThatThrownBy(() -> PortAddress.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("address=" + text);
  }

  @Test
  void shouldReadOptions() {
    Map<String, String> options =
        PortAddress.parse("pcap:rx=a=b.pcap,loop,tx=").options(List.of("rx", "tx", "loop"));
    assertThat(options).isEqualTo(Map.of("rx", "a=b.pcap", "loop", "", "tx", ""));
  }

  @Test
  void shouldTakeWhatFollowsBackslashAsItIs() {
    assertThat(PortAddress.parse("pcap:rx=a\\,b\\\\c").options(List.of("rx")))
        .isEqualTo(Map.of("rx", "a,b\\c"));
  }

  @Test
  void shouldHaveNoOptionsWhenThereIsNothing() {
    assertThat(PortAddress.parse("x:").options(List.of("rx"))).isEmpty();
  }

  @Test
  void shouldNameUnknownKeysAndTheKnownOnes() {
    assertThatThrownBy(() -> PortAddress.parse("pcap:rx=a,speed=1").options(List.of("rx", "tx")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("key=speed", "address=pcap:rx=a,speed=1", "rx, tx");
  }

  @Test
  void shouldRefuseKeyThatStandsTwice() {
    assertThatThrownBy(() -> PortAddress.parse("pcap:rx=a,rx=b").options(List.of("rx")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("key=rx");
  }
}
