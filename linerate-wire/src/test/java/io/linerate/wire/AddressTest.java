package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.testkit.Soak;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @Test
  void shouldReadAndWriteMacAddresses() {
    assertThat(MacAddress.parse("02:00:5e:10:00:ff")).isEqualTo(0x0200_5E10_00FFL);
    assertThat(MacAddress.parse("FF-FF-FF-FF-FF-FF")).isEqualTo(MacAddress.BROADCAST);
    assertThat(MacAddress.format(0x0200_5E10_00FFL)).isEqualTo("02:00:5e:10:00:ff");
    assertThat(MacAddress.format(0)).isEqualTo("00:00:00:00:00:00");
    assertThat(MacAddress.isMulticast(MacAddress.parse("01:00:5e:00:00:01"))).isTrue();
    assertThat(MacAddress.isMulticast(MacAddress.parse("02:00:5e:00:00:01"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "02:00:5e:10:00",
        "02:00:5e:10:00:0",
        "02:00:5e:10:00:00:00",
        "02:00:5e:10:00-00",
        "02.00.5e.10.00.00",
        "02:00:5e:10:00:0g",
        " 2:00:5e:10:00:00",
        "+2:00:5e:10:00:00",
        "02005e100000xxxxx",
        "०२:00:5e:10:00:00"
      })
  void shouldRefuseOtherMacAddresses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MacAddress.parse(text))
        .withMessageStartingWith("not a MAC address: text=" + text + ";");
  }

  @Test
  void shouldRefuseToWriteMoreThan48Bits() {
    assertThatIllegalArgumentException().isThrownBy(() -> MacAddress.format(1L << 48));
    assertThatIllegalArgumentException().isThrownBy(() -> MacAddress.format(-1));
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0x00000000",
    "192.0.2.1, 0xC0000201",
    "255.255.255.255, 0xFFFFFFFF",
    "10.20.30.40, 0x0A141E28"
  })
  void shouldReadAndWriteIpv4Addresses(String text, String value) {
    int address = Long.decode(value).intValue();
    assertThat(Ipv4Address.parse(text)).isEqualTo(address);
    assertThat(Ipv4Address.format(address)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.256",
        "1.2.3.1000",
        "01.2.3.4",
        "1.2.3.00",
        "1.2.3.-4",
        "1.2.3.+4",
        "1.2.3.4 ",
        " 1.2.3.4",
        "1.2.3.4/24",
        "0x1.2.3.4",
        "1.2.3.４",
        "localhost"
      })
  void shouldRefuseOtherIpv4Addresses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ipv4Address.parse(text))
        .withMessageStartingWith("not an IPv4 address: text=" + text + ";");
  }

  /** The examples of RFC 5952, sections 1, 2, 4 and 5, and of RFC 4291, section 2.2. */
  @ParameterizedTest
  @CsvSource({
    "2001:DB8:0:0:8:800:200C:417A, 2001:db8::8:800:200c:417a",
    "FF01:0:0:0:0:0:0:101, ff01::101",
    "0:0:0:0:0:0:0:1, ::1",
    "0:0:0:0:0:0:0:0, ::",
    "::, ::",
    "1::, 1::",
    "::13.1.68.3, ::d01:4403",
    "::FFFF:129.144.52.38, ::ffff:129.144.52.38",
    "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:aaaa:bbbb:cccc:dddd:eeee:AAAA, 2001:db8:aaaa:bbbb:cccc:dddd:eeee:aaaa",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "1:2:3:4:5:6:7.8.9.10, 1:2:3:4:5:6:708:90a"
  })
  void shouldReadAndWriteIpv6Addresses(String text, String canonical) {
    Ipv6Address address = Ipv6Address.parse(text);
    assertThat(address).hasToString(canonical);
    assertThat(Ipv6Address.parse(canonical)).isEqualTo(address);
  }

  @Test
  void shouldPutTheFirstByteHighest() {
    assertThat(Ipv6Address.parse("0102:0304:0506:0708:090a:0b0c:0d0e:0f10"))
        .isEqualTo(new Ipv6Address(0x0102030405060708L, 0x090A0B0C0D0E0F10L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":::",
        "1",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1::2::3",
        "1:::2",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:",
        "::1:",
        ":1::2",
        "12345::",
        "g::",
        "::1.2.3",
        "::1.2.3.256",
        "1.2.3.4::",
        "1.2.3.4",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        "fe80::1%eth0",
        "2001:db8::/32",
        "[::1]",
        " ::1",
        "::1 ",
        "::+1",
        "::１"
      })
  void shouldRefuseOtherIpv6Addresses(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ipv6Address.parse(text))
        .withMessageStartingWith("not an IPv6 address: text=" + text + ";");
  }

  @Test
  @Tag("sampled")
  void shouldAgreeWithTheLibraryOfJavaOnRandomAddresses() throws UnknownHostException {
    Random random = new Random(Soak.seed(4291));
    int addresses = Soak.times(20_000, 20_000_000);
    for (int i = 0; i < addresses; i++) {
      long high = sparse(random);
      long low = sparse(random);
      byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
      String text = Ipv6Address.format(high, low);
      assertThat(Ipv6Address.parse(text)).isEqualTo(new Ipv6Address(high, low));
      InetAddress java = InetAddress.getByName(text);
      if (java instanceof Inet6Address) {
        assertThat(java.getAddress()).isEqualTo(bytes);
        assertThat(Ipv6Address.parse(java.getHostAddress())).isEqualTo(new Ipv6Address(high, low));
      }
    }
  }

  /** Many groups are zero, so that runs of zeros of every length and place occur. */
  private static long sparse(Random random) {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value = value << 16 | (random.nextBoolean() ? 0 : random.nextInt(0x10000));
    }
    return value;
  }
}
