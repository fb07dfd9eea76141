package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {
  @ParameterizedTest
  @CsvSource({
    "1Mpps, 64, 1000",
    "2.5kpps, 1518, 400000",
    "1Gbps, 64, 512",
    "1GbpsL2, 64, 512",
    // The classic figure: 14,880,952 frames of 64 bytes in a second at 10 Gbit/s.
    "10GbpsL1, 64, 67.2",
    "10GbpsL1, 1518, 1230.4",
    "max, 64, 0"
  })
  void shouldTakeItsTimeForAFrame(String text, int frameBytes, double costNs) {
    assertThat(Rate.parse(text).costNs(frameBytes)).isCloseTo(costNs, Offset.offset(1e-6));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0", "0pps", "1", "-1pps", "1M", "1 Mpps", "1mpps", "1Tbps", "9999999Gbps"})
  void shouldRefuseWhatIsNoRate(String text) {
    assertThatThrownBy(() -> Rate.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("not a rate: rate=" + text + ";");
  }

  @Test
  void shouldReadWhatItWrites() {
    for (String text : new String[] {"1Mpps", "1.5kpps", "100pps", "500Mbps", "10GbpsL1", "max"}) {
      assertThat(Rate.parse(text)).hasToString(text);
    }
  }
}
