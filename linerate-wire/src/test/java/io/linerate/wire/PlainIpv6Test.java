package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Packets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainIpv6Test {
  @ParameterizedTest
  @CsvSource({
    "54, 86dd60000000000006, true", // as short as it can be
    "54, 86dd6fffffff05dc3a, true", // traffic class and flow label; payload cut
    "1514, 86dd6000000005b411, true",
    "53, 86dd60000000000006, false", // headers not whole
    "80, 86dd60000000000000, false", // hop-by-hop options
    "80, 86dd6000000000002b, false", // routing
    "80, 86dd6000000000002c, false", // fragment
    "80, 86dd60000000000033, false", // authentication
    "80, 86dd6000000000003c, false", // destination options
    "80, 86dd40000000000006, false", // not version 6
    "80, 080060000000000006, false", // not IPv6
    "80, 810000010000000006, false" // behind a VLAN tag
  })
  void shouldTellPlainIpv6FromTheRest(int frameBytes, String start, boolean plain) {
    byte[] bytes = new byte[frameBytes];
    byte[] behindAddresses = HexFormat.of().parseHex(start);
    System.arraycopy(behindAddresses, 0, bytes, 12, behindAddresses.length);
    try (Packets packets = new Packets()) {
      assertThat(PlainIpv6.is(packets.of(bytes))).isEqualTo(plain);
      assertThat(PlainIpv6.is(packets.ofSegments(bytes, 13, 4, frameBytes - 17))).isEqualTo(plain);
      if (plain) {
        assertThat(PlainIpv6.protocol(packets.of(bytes))).isEqualTo(bytes[20]);
      }
      HeaderScanner scanner = new HeaderScanner();
      assertThat(scanner.scan(packets.of(bytes)) && scanner.ipVersion() == 6)
          .as("plain, so also by the scanner")
          .isIn(true, plain);
    }
  }

  @ParameterizedTest
  @CsvSource("20010db8000000010000000000000002, 20010db800000001, 0000000000000002")
  void shouldReadTheSource(String source, String high, String low) {
    byte[] bytes = new byte[60];
    byte[] address = HexFormat.of().parseHex(source);
    System.arraycopy(address, 0, bytes, 22, address.length);
    try (Packets packets = new Packets()) {
      assertThat(PlainIpv6.sourceHigh(packets.of(bytes))).isEqualTo(Long.parseLong(high, 16));
      assertThat(PlainIpv6.sourceLow(packets.of(bytes))).isEqualTo(Long.parseLong(low, 16));
    }
  }
}
