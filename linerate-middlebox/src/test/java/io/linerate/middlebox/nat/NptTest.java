package io.linerate.middlebox.nat;

import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6Address;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NptTest {
  private static final String PREFIXES = "fd01:203:405::/48 2001:db8:1::/48";
  private static final String INSIDE = "fd01:203:405:1::1234";
  private static final String OUTSIDE = "2001:db8:1:d550::1234";
  private static final String SERVER = "2001:db8:ffff::9";

  private static FrameBuilder udp(String from, String to) {
    return udp6().between(from, to).ports(4_000, 53).payload(9);
  }

  /**
   * The first is RFC 6296's, sections 3.6 and appendix; the others are worked out by hand as its
   * section 3.7 says: of longer prefixes the first 16 bits of the identifier that are not 0xFFFF.
   */
  @ParameterizedTest
  @CsvSource({
    PREFIXES + ", " + INSIDE + ", " + OUTSIDE,
    "fd01:203:405::/48 2001:db8:1::/48, fd01:203:405:2ab0::1, 2001:db8:1::1",
    "fd00::/32 2001:db9::/32, fd00:0:7:1::1, 2001:db9:7:cf47::1",
    "fd01:203:405::/56 2001:db8:1::/56, fd01:203:405:7:1::1, 2001:db8:1:7:d550::1",
    "fd01:203:405::/48 2001:db8:1:ab00::/56, fd01:203:405:7:1::1, 2001:db8:1:ab07:2a50::1",
    "fd01:203:405:7::/64 2001:db8:1:8::/64, fd01:203:405:7:ffff:1::1, 2001:db8:1:8:ffff:d54f::1",
    "fd01:203:405:7::/64 2001:db8:1:8::/64, fd01:203:405:7:ffff:ffff:ffff:1,"
        + " 2001:db8:1:8:ffff:ffff:ffff:d54f",
  })
  void shouldReplaceThePrefixSoThatNoChecksumNotices(
      String prefixes, String inside, String outside) {
    try (var npt = new ElementHarness(Npt.of(prefixes))) {
      npt.pushTo("inside", udp(inside, SERVER));
      npt.expect("outside", udp(outside, SERVER));
      FrameBuilder answer = tcp6().between(SERVER, outside).ports(80, 4_000);
      npt.pushTo("outside", answer);
      npt.expect("inside", answer.between(SERVER, inside));
      assertThat(npt.read("outward")).isEqualTo("1");
      assertThat(npt.read("inward")).isEqualTo("1");
    }
  }

  /** Frames made anew have the same checksums: of all that can be mapped, and there and back. */
  @ParameterizedTest
  @CsvSource({"16, 48", "48, 48", "49, 40", "56, 60", "64, 64"})
  @Tag("sampled")
  void shouldBringEachAddressBack(int insideBits, int outsideBits) {
    Random random = new Random(Soak.seed(7));
    for (int i = Soak.times(40, 4_000); i > 0; i--) {
      NptPrefix prefix =
          NptPrefix.parse(
              prefix(random.nextLong() >>> 9 | 0x2000L << 48, insideBits)
                  + " "
                  + prefix(random.nextLong() >>> 9 | 0x2080L << 48, outsideBits));
      int bits = Math.max(insideBits, outsideBits);
      long high = prefix.inside().high() | (random.nextLong() & ones(bits));
      long low = random.nextLong() | (random.nextBoolean() ? 0xFFFFL << 48 : 0);
      String inside = Ipv6Address.format((high & 0xFFFF) == 0xFFFF ? high ^ 1 : high, low);
      try (var npt = new ElementHarness(new Npt(List.of(prefix)))) {
        npt.pushTo("inside", udp(inside, SERVER));
        byte[] out = npt.out("outside").getFirst();
        String outside = Ipv6Address.format(word(out, 22), word(out, 30));
        assertThat(out).as(prefix + " " + inside).isEqualTo(udp(outside, SERVER).toBytes());
        npt.pushTo("outside", udp(SERVER, outside));
        npt.expect("inside", udp(SERVER, inside));
      }
    }
  }

  private static long ones(int bits) {
    return bits == 64 ? 0 : -1L >>> bits;
  }

  private static String prefix(long high, int bits) {
    return Ipv6Address.format(high & ~ones(bits), 0) + "/" + bits;
  }

  private static long word(byte[] frame, int at) {
    return ByteBuffer.wrap(frame).getLong(at);
  }

  private static FrameBuilder error(String from, String to, FrameBuilder about, int quoted) {
    byte[] frame = about.toBytes();
    return icmp6()
        .between(from, to)
        .icmp(icmp -> icmp.type(Icmpv6.TIME_EXCEEDED))
        .payload(Arrays.copyOfRange(frame, 14, Math.min(frame.length, 14 + quoted)));
  }

  /** With what they quote, even if that is a header alone; a shorter one stays as it is. */
  @ParameterizedTest
  @CsvSource({"57, true", "40, true", "39, false"})
  void shouldTranslateErrorsAndWhatTheyQuote(int quoted, boolean isTranslated) {
    String router = "2001:db8:77::1";
    try (var npt = new ElementHarness(Npt.of(PREFIXES))) {
      FrameBuilder sent = udp(OUTSIDE, SERVER);
      FrameBuilder was = udp(INSIDE, SERVER);
      npt.pushTo("outside", error(router, OUTSIDE, sent, quoted));
      npt.expect("inside", error(router, INSIDE, isTranslated ? was : sent, quoted));

      FrameBuilder got = udp(SERVER, INSIDE);
      FrameBuilder came = udp(SERVER, OUTSIDE);
      npt.pushTo("inside", error("fd01:203:405:1::1", SERVER, got, quoted));
      npt.expect("outside", error("2001:db8:1:d550::1", SERVER, isTranslated ? came : got, quoted));
    }
  }

  /** RFC 6296, section 4.3. */
  @Test
  void shouldLetHostsInsideReachEachOtherByTheirOutsideAddresses() {
    try (var npt = new ElementHarness(Npt.of(PREFIXES))) {
      String other = "fd01:203:405:2::7";
      npt.pushTo("inside", udp(other, OUTSIDE));
      npt.expect("inside", udp("2001:db8:1:d551::7", INSIDE));
      npt.pushTo(
          "inside", error(INSIDE, "2001:db8:1:d551::7", udp("2001:db8:1:d551::7", INSIDE), 99));
      npt.expect("inside", error(OUTSIDE, other, udp(other, OUTSIDE), 99));
      npt.expectNothing("outside");
    }
  }

  /** Whatever it carries: fragments, and what has no ports. */
  @Test
  void shouldTranslateWhateverIsCarried() {
    try (var npt = new ElementHarness(Npt.of(PREFIXES))) {
      FrameBuilder fragment = ipv6().fragment(9, 1_480, false).protocol(IpProtocol.UDP).payload(99);
      FrameBuilder tunnel = ipv6().protocol(IpProtocol.GRE).payload(40);
      FrameBuilder tagged = udp6().vlan(7).vlan(8).payload(5);
      npt.pushTo(
          "inside",
          fragment.between(INSIDE, SERVER),
          tunnel.between(INSIDE, SERVER),
          tagged.between(INSIDE, SERVER));
      npt.expect(
          "outside",
          fragment.between(OUTSIDE, SERVER),
          tunnel.between(OUTSIDE, SERVER),
          tagged.between(OUTSIDE, SERVER));
    }
  }

  @Test
  void shouldLeaveOutWhatItHasNoPrefixFor() {
    try (var npt = new ElementHarness(Npt.of(PREFIXES))) {
      npt.pushTo("inside", udp("fd02::1", SERVER), udp("fd01:203:405:ffff::1", SERVER));
      npt.expect("rest", udp("fd02::1", SERVER));
      npt.expect("refused", udp("fd01:203:405:ffff::1", SERVER));
      npt.pushTo("outside", udp(SERVER, "2001:db8:2::1"), udp(SERVER, "2001:db8:1:ffff::1"));
      npt.expect("rest", udp(SERVER, "2001:db8:2::1"));
      npt.pushTo("inside", udp(INSIDE, "ff05::2"), udp(INSIDE, "fe80::2"), udp4());
      byte[] cut = Arrays.copyOf(udp(INSIDE, SERVER).toBytes(), 50);
      npt.pushTo("inside", cut);
      npt.expectNothing("outside");
      npt.expectNothing("inside");
      assertThat(npt.drops())
          .containsOnly(
              Map.entry("npt_untranslatable", 1L),
              Map.entry("nat_not_unicast", 2L),
              Map.entry("not_ipv6", 1L),
              Map.entry("malformed", 1L));
    }
    try (var npt = new ElementHarness(Npt.of("fd01::/64 2001:db8::/64"))) {
      npt.pushTo("inside", udp("fd01::", SERVER), udp("fd01::ffff:ffff:ffff:ffff", SERVER));
      assertThat(npt.out("refused")).hasSize(2);
    }
  }

  @Test
  void shouldSayWhatIsWrongWithItsPrefixes() {
    assertThat(Npt.of().problems()).singleElement().asString().startsWith("no prefix: prefixes=;");
    assertThat(Npt.of(PREFIXES, "fd01:203:405:8000::/49 2001:db8:2::/48").problems())
        .singleElement()
        .asString()
        .startsWith("prefixes overlap: prefixes=" + PREFIXES);
    assertThatThrownBy(() -> NptPrefix.parse("10.0.0.0/8 2001:db8::/48"))
        .hasMessageStartingWith("not two prefixes of IPv6: text=10.0.0.0/8");
    assertThatThrownBy(() -> NptPrefix.parse("fd01::/96 2001:db8::/48"))
        .hasMessageStartingWith("prefix is not translated: prefix=fd01::/96; give one of 1 to 64");
  }
}
