package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainIpv4Test {
  @ParameterizedTest
  @CsvSource({
    "34, 080045000014abcd, true", // as short as it can be
    "1514, 080045b805dcabcd, true",
    "33, 080045000014abcd, false", // headers not whole
    "60, 080045000013abcd, false", // total length shorter than the header
    "60, 080046000028abcd, false", // options
    "60, 080044000028abcd, false", // header too short
    "60, 080065000028abcd, false", // not version 4
    "60, 86dd45000028abcd, false", // not IPv4
    "60, 81000001080045aa, false" // behind a VLAN tag
  })
  void shouldTellPlainIpv4FromTheRest(int frameBytes, String word, boolean plain) {
    assertThat(PlainIpv4.is(frameBytes, Long.parseUnsignedLong(word, 16))).isEqualTo(plain);
  }
}
