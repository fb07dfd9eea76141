package io.linerate.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
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
}
