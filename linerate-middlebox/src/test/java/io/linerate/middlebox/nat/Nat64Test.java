package io.linerate.middlebox.nat;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Tcp;
import io.linerate.wire.classify.PortRange;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * NAT64. Frames of one version are compared, byte for byte, with what a builder makes of the same
 * headers in the other, which sums checksums anew.
 */
class Nat64Test {
  private static final long SECOND_NS = 1_000_000_000;
  private static final String HOST = "2001:db8:1::5";
  private static final String OTHER_HOST = "2001:db8:1::6";
  private static final String OWN = "203.0.113.1";
  private static final String SERVER = "192.0.2.9";
  private static final String SERVER6 = "64:ff9b::c000:209";
  private static final String ROUTER = "198.51.100.77";
  private static final String ROUTER6 = "64:ff9b::c633:644d";
  private static final NatSettings SETTINGS =
      NatSettings.of(OWN).withConnections(64).withNat64(Nat64.of("64:ff9b::/96"));

  private static FrameBuilder udp(String from, int port, String to, int toPort) {
    FrameBuilder frame = to.indexOf(':') < 0 ? udp4() : udp6();
    return frame.between(from, to).ports(port, toPort).payload(9);
  }

  private static int identification(byte[] frame) {
    return (frame[18] & 0xFF) << 8 | (frame[19] & 0xFF);
  }

  /** A packet of IPv4 that may be cut, whose identification is anything. */
  private static void expectDivisible(ElementHarness nat, FrameBuilder frame) {
    byte[] out = nat.out("outside").getFirst();
    assertThat(out).isEqualTo(frame.ipv4(ip -> ip.identification(identification(out))).toBytes());
  }

  private static FrameBuilder whole(FrameBuilder frame) {
    return frame.ipv4(ip -> ip.dontFragment(true).identification(0));
  }

  /** RFC 6052, section 2.4. */
  @ParameterizedTest
  @CsvSource({
    "2001:db8::/32, 2001:db8:c000:221::",
    "2001:db8:100::/40, 2001:db8:1c0:2:21::",
    "2001:db8:122::/48, 2001:db8:122:c000:2:2100::",
    "2001:db8:122:300::/56, 2001:db8:122:3c0:0:221::",
    "2001:db8:122:344::/64, 2001:db8:122:344:c0:2:2100::",
    "2001:db8:122:344::/96, 2001:db8:122:344::c000:221",
    "64:ff9b::/96, 64:ff9b::c000:221",
  })
  void shouldReachServersByAddressesThatStandForTheirs(String prefix, String server) {
    NatSettings settings = SETTINGS.withNat64(Nat64.of(prefix));
    try (var nat = new ElementHarness(new Nat(settings))) {
      nat.pushTo("inside", udp("fd00::5", 4_000, server, 53));
      expectDivisible(nat, udp(OWN, 4_000, "192.0.2.33", 53));
      nat.pushTo("outside", udp("192.0.2.33", 53, OWN, 4_000));
      nat.expect("cut6", udp(server, 53, "fd00::5", 4_000));
      nat.pushTo("outside", udp("255.1.254.3", 54, OWN, 4_000));
      Ipv6Address from = Ipv6Address.parse(server);
      byte[] frame = nat.out("cut6").getFirst();
      assertThat(Arrays.copyOfRange(frame, 22, 26))
          .isEqualTo(Arrays.copyOf(FrameBuilder.address(Ipv6Address.format(from.high(), 0)), 4));
      nat.pushTo("inside", turnedRound(frame));
      expectDivisible(nat, udp(OWN, 4_000, "255.1.254.3", 54));
    }
  }

  /** As who answers does: no checksum notices. */
  private static byte[] turnedRound(byte[] frame) {
    byte[] answer = frame.clone();
    System.arraycopy(frame, 22, answer, 38, 16);
    System.arraycopy(frame, 38, answer, 22, 16);
    System.arraycopy(frame, 54, answer, 56, 2);
    System.arraycopy(frame, 56, answer, 54, 2);
    return answer;
  }

  @Test
  void shouldGiveHostsAnAddressOutsideAndBackTheirOwn() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder syn = tcp6().between(HOST, SERVER6).ports(4_000, 80);
      nat.pushTo(
          "inside",
          syn.tcp(tcp -> tcp.flags(Tcp.SYN))
              .options(2, 4, 5, 0xA0)
              .ipv6(ip -> ip.trafficClass(0xB9).hopLimit(3).flowLabel(0x12345)));
      FrameBuilder syn4 = tcp4().between(OWN, SERVER).ports(4_000, 80);
      expectDivisible(
          nat,
          syn4.tcp(tcp -> tcp.flags(Tcp.SYN))
              .options(2, 4, 5, 0xA0)
              .ipv4(ip -> ip.dscp(0x2E).ecn(1).ttl(3)));
      UnaryOperator<FrameBuilder> answer =
          frame -> frame.ports(80, 4_000).tcp(tcp -> tcp.flags(Tcp.SYN | Tcp.ACK)).padding(4);
      nat.pushTo(
          "outside",
          answer.apply(tcp4().between(SERVER, OWN)).ipv4(ip -> ip.dscp(1).ecn(2).ttl(200)));
      nat.expect(
          "cut6",
          answer.apply(tcp6().between(SERVER6, HOST)).ipv6(ip -> ip.trafficClass(6).hopLimit(200)));

      UnaryOperator<FrameBuilder> echo = frame -> frame.payload(33);
      nat.pushTo("inside", echo.apply(icmp6().between(HOST, SERVER6)));
      expectDivisible(nat, echo.apply(icmp4().between(OWN, SERVER)));
      nat.pushTo(
          "outside",
          echo.apply(icmp4().between(SERVER, OWN)).icmp(icmp -> icmp.type(Icmp.ECHO_REPLY)));
      nat.expect(
          "cut6",
          echo.apply(icmp6().between(SERVER6, HOST)).icmp(icmp -> icmp.type(Icmpv6.ECHO_REPLY)));
      assertThat(nat.read("mappings")).isEqualTo("2");
      assertThat(nat.read("table"))
          .contains("[2001:db8:1::5]:4000 tcp 203.0.113.1:4000 1", "[2001:db8:1::5]:7 icmp");
    }
  }

  /** RFC 6146, section 3.5.1.1, and the same pool for both versions inside. */
  @Test
  void shouldShareMappingsAndPortsWithHostsOfIpv4() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp("10.0.0.5", 4_000, SERVER, 53), udp(HOST, 4_000, SERVER6, 53));
      List<byte[]> sent = nat.out("outside");
      int port = (sent.get(1)[34] & 0xFF) << 8 | (sent.get(1)[35] & 0xFF);
      assertThat(port).isNotEqualTo(4_000).isEven().isGreaterThanOrEqualTo(1_024);
      nat.pushTo("inside", udp(HOST, 4_000, "64:ff9b::c000:20a", 99));
      expectDivisible(nat, udp(OWN, port, "192.0.2.10", 99));
      nat.pushTo("outside", udp(SERVER, 53, OWN, 4_000), udp(ROUTER, 1, OWN, port));
      nat.expect("inside", udp(SERVER, 53, "10.0.0.5", 4_000));
      nat.expect("cut6", udp(ROUTER6, 1, HOST, 4_000));
      assertThat(nat.read("mappings")).isEqualTo("2");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ENDPOINT_INDEPENDENT, 3",
    "ADDRESS_DEPENDENT, 2",
    "ADDRESS_AND_PORT_DEPENDENT, 1",
  })
  void shouldFilterAsItIsSaid(NatFiltering filtering, int wanted) {
    try (var nat = new ElementHarness(new Nat(SETTINGS.withFiltering(filtering)))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53));
      nat.pushTo("outside", udp(SERVER, 53, OWN, 4_000));
      nat.pushTo("outside", udp(SERVER, 54, OWN, 4_000));
      nat.pushTo("outside", udp(ROUTER, 53, OWN, 4_000));
      assertThat(nat.out("cut6")).hasSize(wanted);
      assertThat(nat.drops().getOrDefault("nat_filtered", 0L)).isEqualTo(3L - wanted);
    }
  }

  private static FrameBuilder error4(
      String from, String to, int type, int code, FrameBuilder about) {
    return icmp4()
        .between(from, to)
        .icmp(icmp -> icmp.type(type).code(code).restOfHeader(0))
        .payload(quoted(about));
  }

  private static FrameBuilder error6(
      String from, String to, int type, int code, FrameBuilder about) {
    return icmp6()
        .between(from, to)
        .icmp(icmp -> icmp.type(type).code(code).restOfHeader(0))
        .payload(quoted(about));
  }

  private static byte[] quoted(FrameBuilder about) {
    byte[] frame = about.toBytes();
    return Arrays.copyOfRange(frame, 14, frame.length);
  }

  private static FrameBuilder cutQuote(
      FrameBuilder error, FrameBuilder about, int headerBytes, int l4) {
    return error.payload(Arrays.copyOf(quoted(about), headerBytes + l4));
  }

  /** Whatever of the packet they quote, from a header of 8 bytes on. */
  @ParameterizedTest
  @ValueSource(ints = {8, 12, 17})
  void shouldTranslateErrorsAndWhatTheyQuote(int bytes) {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder sent = udp(HOST, 4_000, SERVER6, 53);
      nat.pushTo("inside", sent);
      nat.out("outside");
      FrameBuilder sent4 = udp(OWN, 4_000, SERVER, 53);
      FrameBuilder error4 = error4(ROUTER, OWN, Icmp.TIME_EXCEEDED, 0, sent4);
      FrameBuilder error6 = error6(ROUTER6, HOST, Icmpv6.TIME_EXCEEDED, 0, sent);
      nat.pushTo("outside", cutQuote(error4, sent4, 20, bytes));
      nat.expect("inside6", cutQuote(error6, sent, 40, bytes));

      FrameBuilder came4 = whole(udp(SERVER, 53, OWN, 4_000));
      FrameBuilder came = udp(SERVER6, 53, HOST, 4_000);
      FrameBuilder told6 = error6(OTHER_HOST, SERVER6, Icmpv6.DESTINATION_UNREACHABLE, 4, came);
      FrameBuilder told4 = error4(OWN, SERVER, Icmp.DESTINATION_UNREACHABLE, 3, came4);
      nat.pushTo("outside", came4);
      nat.out("inside6");
      nat.pushTo("inside", cutQuote(told6, came, 40, bytes));
      expectDivisible(nat, cutQuote(told4, came4, 20, bytes));
      nat.pushTo("outside", error4(ROUTER, OWN, 11, 0, udp(OWN, 999, SERVER, 53)));
      assertThat(nat.out("rest")).hasSize(1);
    }
  }

  /** TCP and queries, and no longer than either version's errors may be. */
  @Test
  void shouldTranslateErrorsAboutWhateverPasses() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder segment = tcp6().between(HOST, SERVER6).ports(4_000, 80).payload(1_300);
      FrameBuilder segment4 = whole(tcp4().between(OWN, SERVER).ports(4_000, 80).payload(1_300));
      nat.pushTo("inside", segment);
      nat.expect("outside", segment4);
      nat.pushTo("outside", error4(ROUTER, OWN, Icmp.DESTINATION_UNREACHABLE, 1, segment4));
      nat.expect(
          "inside6",
          cutQuote(error6(ROUTER6, HOST, 1, 0, segment), segment, 40, 1_280 - 40 - 8 - 40));

      FrameBuilder echo = icmp6().between(HOST, SERVER6).payload(20);
      FrameBuilder echo4 = whole(icmp4().between(OWN, SERVER).payload(20));
      nat.pushTo("inside", echo);
      nat.out("outside");
      nat.pushTo("outside", error4(ROUTER, OWN, Icmp.TIME_EXCEEDED, 1, echo4));
      nat.expect("inside6", error6(ROUTER6, HOST, Icmpv6.TIME_EXCEEDED, 1, echo));

      FrameBuilder answer4 = whole(tcp4().between(SERVER, OWN).ports(80, 4_000).payload(1_000));
      FrameBuilder answer = tcp6().between(SERVER6, HOST).ports(80, 4_000).payload(1_000);
      nat.pushTo("outside", answer4);
      nat.expect("inside6", answer);
      nat.pushTo("inside", error6(HOST, SERVER6, 1, 1, answer));
      expectDivisible(
          nat, cutQuote(error4(OWN, SERVER, 3, 10, answer4), answer4, 20, 576 - 20 - 8 - 20));
    }
  }

  /** RFC 7915, sections 4.2 and 5.2; without an MTU the next plateau of RFC 1191. */
  @ParameterizedTest
  @CsvSource({"1400, 1420", "1480, 1500", "9000, 1500", "1000, 1280", "0, 1280"})
  void shouldTellHowLongPacketsMayBe(int mtu, int mtu6) {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder segment = tcp6().between(HOST, SERVER6).ports(4_000, 80).payload(1_400);
      FrameBuilder segment4 = whole(tcp4().between(OWN, SERVER).ports(4_000, 80).payload(1_400));
      nat.pushTo("inside", segment);
      nat.out("outside");
      nat.pushTo(
          "outside",
          cutQuote(
              error4(ROUTER, OWN, 3, 4, segment4).icmp(icmp -> icmp.restOfHeader(mtu)),
              segment4,
              20,
              8));
      nat.expect(
          "inside6",
          cutQuote(
              error6(ROUTER6, HOST, Icmpv6.PACKET_TOO_BIG, 0, segment)
                  .icmp(icmp -> icmp.restOfHeader(mtu6)),
              segment,
              40,
              8));
      FrameBuilder answer4 = whole(tcp4().between(SERVER, OWN).ports(80, 4_000).payload(100));
      FrameBuilder answer = tcp6().between(SERVER6, HOST).ports(80, 4_000).payload(100);
      nat.pushTo("outside", answer4);
      nat.out("inside6");
      nat.pushTo(
          "inside",
          error6("fd00::1", SERVER6, Icmpv6.PACKET_TOO_BIG, 0, answer)
              .icmp(icmp -> icmp.restOfHeader(mtu6)));
      expectDivisible(
          nat, error4(OWN, SERVER, 3, 4, answer4).icmp(icmp -> icmp.restOfHeader(mtu6 - 20)));
    }
  }

  /** RFC 4884: what is behind the quoted packet is left out. */
  @Test
  void shouldLeaveExtensionsOfErrorsOut() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder sent = udp6().between(HOST, SERVER6).ports(4_000, 53).payload(180);
      FrameBuilder sent4 = udp4().between(OWN, SERVER).ports(4_000, 53).payload(180);
      nat.pushTo("inside", sent);
      nat.out("outside");
      byte[] extended = Arrays.copyOf(quoted(sent4), 128 + 12);
      nat.pushTo(
          "outside",
          error4(ROUTER, OWN, 11, 0, sent4)
              .icmp(icmp -> icmp.restOfHeader(32 << 16))
              .payload(extended));
      nat.expect("inside6", cutQuote(error6(ROUTER6, HOST, 3, 0, sent), sent, 40, 128 - 20));
    }
  }

  /** RFC 7915, section 4.5. */
  @Test
  void shouldMakeTheChecksumsThatIpv6Wants() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53));
      nat.out("outside");
      nat.pushTo("outside", udp(SERVER, 53, OWN, 4_000).bytes(40, 0, 0));
      nat.expect("cut6", udp(SERVER6, 53, HOST, 4_000));
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53).bytes(60, 0, 0));
      nat.expectNothing("outside");
      assertThat(nat.drops()).containsOnly(Map.entry("nat_untranslatable", 1L));
    }
  }

  /** One that was wrong stays so, for its receiver to see. */
  @Test
  void shouldNotMendChecksums() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      byte[] broken = udp(HOST, 4_000, SERVER6, 53).toBytes();
      broken[70] ^= 0x40;
      nat.pushTo("inside", broken);
      byte[] sound = udp(OWN, 4_000, SERVER, 53).toBytes();
      byte[] out = nat.out("outside").getFirst();
      assertThat(Arrays.copyOfRange(out, 40, 42)).isEqualTo(Arrays.copyOfRange(sound, 40, 42));
      assertThat(out[50]).isEqualTo((byte) (sound[50] ^ 0x40));
    }
  }

  /** RFC 7915, section 5.1. */
  @Test
  void shouldLeaveExtensionHeadersOut() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder options =
          ipv6().extension(IpProtocol.HOPOPT).extension(IpProtocol.IPV6_OPTS, 1, 12);
      FrameBuilder used = options.extension(IpProtocol.IPV6_ROUTE, 0, 0, 1, 2, 3, 4);
      nat.pushTo("inside", used.udp(udp -> {}).between(HOST, SERVER6).ports(4_000, 53).payload(9));
      expectDivisible(nat, udp(OWN, 4_000, SERVER, 53));
      FrameBuilder ahead = ipv6().extension(IpProtocol.IPV6_ROUTE, 4, 1);
      nat.pushTo("inside", ahead.udp(udp -> {}).between(HOST, SERVER6).ports(4_000, 53));
      FrameBuilder authenticated = ipv6().extension(IpProtocol.AH, 0, 0, 0, 0, 0, 0);
      nat.pushTo("inside", authenticated.udp(udp -> {}).between(HOST, SERVER6).ports(4_000, 53));
      nat.expectNothing("outside");
      assertThat(nat.drops()).containsOnly(Map.entry("nat_untranslatable", 2L));
    }
  }

  /** RFC 7915, sections 4 and 5.1: what may be cut, and what not. */
  @Test
  void shouldSayWhatMayBeCut() {
    FrameBuilder answer4 = udp4().between(SERVER, OWN).ports(53, 4_000).payload(1_400);
    FrameBuilder answer = udp6().between(SERVER6, HOST).ports(53, 4_000).payload(1_400);
    FrameBuilder sent = udp6().between(HOST, SERVER6).ports(4_000, 53);
    FrameBuilder sent4 = udp4().between(OWN, SERVER).ports(4_000, 53);
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", sent.payload(1_232));
      expectDivisible(nat, sent4.payload(1_232));
      nat.pushTo("inside", sent.payload(1_233));
      nat.expect("outside", whole(sent4.payload(1_233)));
      nat.pushTo("inside", sent.payload(1_452));
      nat.expect("outside", whole(sent4.payload(1_452)));
      nat.pushTo("inside", sent.payload(1_453)); // Put together of fragments.
      expectDivisible(nat, sent4.payload(1_453));
      nat.pushTo("outside", answer4, whole(answer4));
      nat.expect("cut6", answer);
      nat.expect("inside6", answer);
      nat.disconnect("cut6");
      nat.pushTo("outside", answer4);
      nat.expect("inside6", answer);
    }
  }

  /** In the room before it or as a copy, behind tags, with options. */
  @ParameterizedTest
  @ValueSource(ints = {0, 19, 39, 40, 128})
  void shouldTranslateWhateverRoomThereIs(int headroomBytes) {
    try (var nat = new ElementHarness(new Nat(SETTINGS), 64, headroomBytes)) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53).vlan(7).vlan(9));
      byte[] out = nat.out("outside").getFirst();
      int identification = (out[26] & 0xFF) << 8 | (out[27] & 0xFF);
      FrameBuilder sent4 =
          udp(OWN, 4_000, SERVER, 53).ipv4(ip -> ip.identification(identification));
      assertThat(out).isEqualTo(sent4.vlan(7).vlan(9).toBytes());
      nat.pushTo(
          "outside",
          udp(SERVER, 53, OWN, 4_000).vlan(8),
          whole(udp(SERVER, 53, OWN, 4_000)),
          error4(ROUTER, OWN, 11, 0, sent4));
      nat.expect("cut6", udp(SERVER6, 53, HOST, 4_000).vlan(8));
      nat.expect(
          "inside6",
          udp(SERVER6, 53, HOST, 4_000),
          error6(ROUTER6, HOST, 3, 0, udp(HOST, 4_000, SERVER6, 53)));
      FrameBuilder options = udp4().between(SERVER, OWN).ports(53, 4_000).payload(9);
      nat.pushTo(
          "outside",
          options.options(7, 23, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      nat.expect("cut6", udp(SERVER6, 53, HOST, 4_000));
      long copied = headroomBytes < 20 ? 4 : headroomBytes < 40 ? 1 : 0;
      assertThat(nat.drops().getOrDefault("copied", 0L)).isEqualTo(copied);
    }
  }

  /** RFC 6146, section 3.8. */
  @Test
  void shouldLetHostsInsideReachEachOtherByTheirOutsideAddresses() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53), udp(OTHER_HOST, 5_000, SERVER6, 53));
      nat.out("outside");
      nat.pushTo("inside", udp(HOST, 4_000, "64:ff9b::cb00:7101", 5_000));
      List<byte[]> again = nat.out("hairpin");
      assertThat(again).hasSize(1);
      nat.pushTo("outside", again.toArray(byte[][]::new));
      nat.expect("cut6", udp("64:ff9b::cb00:7101", 4_000, OTHER_HOST, 5_000));
      nat.pushTo("inside", udp(OTHER_HOST, 5_000, "64:ff9b::cb00:7101", 4_000));
      nat.pushTo("outside", nat.out("hairpin").toArray(byte[][]::new));
      nat.expect("cut6", udp("64:ff9b::cb00:7101", 5_000, HOST, 4_000));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2001:db8:1::5, 2001:db8:ffff::9, nat_untranslatable",
    "64:ff9b::a00:5, 64:ff9b::c000:209, nat_untranslatable",
    "fe80::5, 64:ff9b::c000:209, nat_not_unicast",
    "::, 64:ff9b::c000:209, nat_not_unicast",
    "2001:db8:1::5, 64:ff9b::a00:1, nat_untranslatable",
    "2001:db8:1::5, 64:ff9b::ac1f:1, nat_untranslatable",
    "2001:db8:1::5, 64:ff9b::c0a8:1, nat_untranslatable",
    "2001:db8:1::5, 64:ff9b::e000:1, nat_not_unicast",
    "2001:db8:1::5, 64:ff9b::7f00:1, nat_not_unicast",
  })
  void shouldNotLeadWhereNobodyMayBe(String from, String to, String reason) {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp(from, 4_000, to, 53));
      nat.expectNothing("outside");
      assertThat(nat.drops()).containsOnly(Map.entry(reason, 1L));
    }
  }

  @Test
  void shouldTranslateOnlyWhatItKnows() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder gre = ipv6().protocol(IpProtocol.GRE).payload(40).between(HOST, SERVER6);
      FrameBuilder icmp = ipv6().protocol(IpProtocol.ICMP).payload(40).between(HOST, SERVER6);
      FrameBuilder solicitation =
          icmp6().icmp(m -> m.type(Icmpv6.ROUTER_SOLICITATION)).between(HOST, SERVER6);
      nat.pushTo("inside", gre, icmp, solicitation);
      nat.expectNothing("outside");
      assertThat(nat.drops())
          .containsOnly(
              Map.entry("nat_untranslatable", 1L),
              Map.entry("no_connection", 1L), // ICMP of no known kind.
              Map.entry("nat_not_unicast", 1L));
    }
    try (var nat = new ElementHarness(new Nat(NatSettings.of(OWN)))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53));
      assertThat(nat.drops()).containsOnly(Map.entry("nat_untranslatable", 1L));
    }
  }

  /** What is refused is as it came, so that its sender can be told. */
  @Test
  void shouldSayWhenPortsRunOut() {
    NatSettings settings = SETTINGS.withPorts(new PortRange(5_000, 5_001)).withMostPorts(1);
    try (var nat = new ElementHarness(new Nat(settings))) {
      FrameBuilder second = udp(HOST, 4_001, SERVER6, 53);
      nat.pushTo("inside", udp(HOST, 4_000, SERVER6, 53), second);
      nat.expect("refused", second);
      nat.pushTo("inside", udp(OTHER_HOST, 4_000, SERVER6, 53), udp("fd00::7", 1, SERVER6, 53));
      nat.expect("refused", udp("fd00::7", 1, SERVER6, 53));
    }
  }

  /** Whatever comes and goes: who is answered is who has asked. */
  @ParameterizedTest
  @CsvSource({"8, 3, 1", "64, 40, 1", "1000, 2000, 3"})
  @Tag("sampled")
  void shouldBringEachAnswerToWhoHasAsked(int connections, int ports, int workers) {
    Random random = new Random(Soak.seed(12));
    NatSettings settings =
        SETTINGS
            .withConnections(connections)
            .withPorts(new PortRange(30_000, 30_000 + ports))
            .withWorkers(workers);
    int passed = 0;
    try (var nat = new ElementHarness(new Nat(settings))) {
      nat.round();
      for (int i = Soak.times(3_000, 300_000); i > 0; i--) {
        String host = "2001:db8:%x::%x".formatted(random.nextInt(5), 1 + random.nextInt(20));
        int port = 1 + random.nextInt(200);
        nat.pushTo("inside", udp(host, port, SERVER6, 53));
        List<byte[]> sent = nat.out("outside");
        assertThat(sent.size() + nat.out("refused").size()).isEqualTo(1);
        for (byte[] frame : sent) {
          int outside = (frame[34] & 0xFF) << 8 | (frame[35] & 0xFF);
          assertThat(outside).isBetween(30_000, 30_000 + ports);
          nat.pushTo("outside", udp(SERVER, 53, OWN, outside));
          nat.expect("cut6", udp(SERVER6, 53, host, port));
          passed++;
        }
        nat.advance(random.nextInt(20) == 0 ? 200 * SECOND_NS : SECOND_NS / 10);
      }
      assertThat(passed).isPositive();
      nat.advance(400 * SECOND_NS);
      nat.advance(400 * SECOND_NS);
      assertThat(nat.read("connections")).isEqualTo("0");
      assertThat(nat.read("mappings")).isEqualTo("0");
    }
  }

  /** Packets, answers and errors of either side meet their mapping. */
  @Test
  void shouldHandAllOfAPortToTheSameWorker() {
    NatSettings settings = SETTINGS.withWorkers(3);
    Map<Integer, Integer> workers = new HashMap<>();
    try (var inside = new ElementHarness(new NatSwitch(settings, false));
        var outside = new ElementHarness(new NatSwitch(settings, true))) {
      for (int i = 0; i < 100; i++) {
        String host = "2001:db8:1:%x::%x".formatted(i % 3, i);
        int port = 4_000 + 64 * i;
        int worker = worker(inside, udp(host, port, SERVER6, 53));
        workers.merge(worker, 1, Integer::sum);
        FrameBuilder about = udp(SERVER6, 53, host, port);
        assertThat(worker(inside, error6(host, SERVER6, 1, 4, about))).isEqualTo(worker);
        assertThat(outsidePort(worker, host, port)).as("it can keep its port").isEqualTo(port);
        assertThat(worker(outside, udp(SERVER, 53, OWN, port))).isEqualTo(worker);
        assertThat(worker(outside, error4(ROUTER, OWN, 11, 0, udp(OWN, port, SERVER, 53))))
            .isEqualTo(worker);
      }
    }
    assertThat(workers).hasSize(3).allSatisfy((_, count) -> assertThat(count).isGreaterThan(10));
  }

  /** Which port a worker's translator gives a host. */
  private static int outsidePort(int worker, String host, int port) {
    NatPlan plan = new NatPlan(SETTINGS.withWorkers(3));
    MappingTable mappings = new MappingTable(plan, worker, 1);
    Ipv6Address address = Ipv6Address.parse(host);
    int kind = NatPlan.kind(IpProtocol.UDP);
    return mappings.outsidePort(mappings.add(kind, address.high(), address.low(), port, 0));
  }

  private static int worker(ElementHarness spread, FrameBuilder frame) {
    spread.push(frame);
    for (int i = 1; i <= 3; i++) {
      if (!spread.out("out" + i).isEmpty()) {
        return i - 1;
      }
    }
    throw new AssertionError("packet is lost");
  }

  @Test
  void shouldSayWhatIsWrongWithItsPrefix() {
    assertThatThrownBy(() -> Nat64.of("64:ff9b::/95"))
        .hasMessageStartingWith(
            "not a prefix for addresses of IPv4: prefix=64:ff9b::/95; give one");
    assertThatThrownBy(() -> Nat64.of("2001:db8:0:0:100::/96"))
        .hasMessageContaining("whose bits 64 to 71 are 0, such as 64:ff9b::/96");
    assertThatThrownBy(() -> Nat64.of("10.0.0.0/8"))
        .hasMessage("not a prefix of IPv6: prefix=10.0.0.0/8; write 64:ff9b::/96");
    assertThatThrownBy(() -> Nat64.of("64:ff9b::/96").withMtu(1_279))
        .hasMessage("number out of range: mtuBytes=1279; give 1280 to 65535");
    assertThat(Ipv4Address.format(Nat64.of("64:ff9b::/96").ipv4(0, 0x0A00_0001)))
        .isEqualTo("10.0.0.1");
  }
}
