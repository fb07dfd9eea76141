package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTextTest {
  /** The examples of page-model.js, too. */
  @ParameterizedTest
  @CsvSource({
    "0, 0 pps",
    "0.04, 0.040 pps",
    "0.5, 0.50 pps",
    "7, 7 pps",
    "12, 12 pps",
    "12.5, 12.5 pps",
    "999, 999 pps",
    "999.4, 999 pps",
    "999.5, 1.00 kpps",
    "3400, 3.40 kpps",
    "9996, 10.0 kpps",
    "99960, 100 kpps",
    "999600, 1.00 Mpps",
    "1234567, 1.23 Mpps",
    "1250000, 1.25 Mpps",
    "14880952, 14.9 Mpps",
    "148809523, 149 Mpps",
    "-1500, -1.50 kpps",
    "1e15, 1.00 Ppps",
    "2e18, 2000 Ppps",
  })
  void shouldShowThreeDigitsThatCount(double packets, String text) {
    assertThat(RateText.packets(packets)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"1000000000, 1.00 Gbit/s", "1234000000, 1.23 Gbit/s", "64, 64 bit/s"})
  void shouldShowBits(double bits, String text) {
    assertThat(RateText.bits(bits)).isEqualTo(text);
  }

  @Test
  void shouldShowWhatIsNotKnown() {
    assertThat(RateText.packets(Double.NaN)).isEqualTo("-");
    assertThat(RateText.bits(Double.POSITIVE_INFINITY)).isEqualTo("-");
  }

  @ParameterizedTest
  @CsvSource({
    "14880952, 14.881 Mpps",
    "999996, 1.0000 Mpps",
    "999994, 999.99 kpps",
    "100, 100 pps",
    "8127.5, 8.1275 kpps",
  })
  void shouldShowMoreForThoseWhoCompare(double packets, String text) {
    assertThat(RateText.of(packets, "pps", 5)).isEqualTo(text);
  }

  @Test
  void shouldShowNumbersWithoutAUnit() {
    assertThat(RateText.of(45_600_000, "")).isEqualTo("45.6 M");
    assertThat(RateText.of(7, "")).isEqualTo("7");
  }
}
