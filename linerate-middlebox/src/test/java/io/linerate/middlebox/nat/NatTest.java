package io.linerate.middlebox.nat;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.QuotedPacket;
import io.linerate.wire.Tcp;
import io.linerate.wire.classify.PortRange;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NatTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final String HOST = "10.0.0.5";
  private static final String OTHER_HOST = "10.0.0.6";
  private static final String OWN = "203.0.113.1";
  private static final String SERVER = "192.0.2.9";
  private static final String OTHER_SERVER = "192.0.2.10";
  private static final NatSettings SETTINGS = NatSettings.of(OWN).withConnections(64);

  private static FrameBuilder udp(String from, int port, String to, int toPort) {
    return udp4().between(from, to).ports(port, toPort).payload(9);
  }

  private static FrameBuilder tcp(String from, int port, String to, int toPort, int flags) {
    return tcp4().between(from, to).ports(port, toPort).tcp(tcp -> tcp.flags(flags));
  }

  private static String endpoints(Packet packet) {
    return "%s:%d > %s:%d"
        .formatted(
            Ipv4Address.format(packet.i32(26)),
            packet.u16(34),
            Ipv4Address.format(packet.i32(30)),
            packet.u16(36));
  }

  /** What comes out, with right checksums, of what was put in. */
  private static String through(ElementHarness nat, String input, FrameBuilder frame) {
    nat.pushTo(input, frame);
    String output = input.equals("inside") ? "outside" : "inside";
    Packet packet = nat.packet(output);
    HeaderScanner scanner = new HeaderScanner();
    scanner.scan(packet);
    assertThat(InternetChecksum.verifyIpv4Header(packet, scanner.l3Offset())).isTrue();
    assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
    return endpoints(packet);
  }

  private static int outsidePort(ElementHarness nat, FrameBuilder frame) {
    String text = through(nat, "inside", frame);
    return Integer.parseInt(text.split("[: ]", -1)[1]);
  }

  @Test
  void shouldGiveHostsAnAddressOutsideAndBackTheirOwn() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      assertThat(through(nat, "inside", udp(HOST, 4_000, SERVER, 53)))
          .isEqualTo(OWN + ":4000 > " + SERVER + ":53");
      assertThat(through(nat, "outside", udp(SERVER, 53, OWN, 4_000)))
          .isEqualTo(SERVER + ":53 > " + HOST + ":4000");
      assertThat(through(nat, "inside", tcp(HOST, 4_000, SERVER, 80, Tcp.SYN)))
          .isEqualTo(OWN + ":4000 > " + SERVER + ":80");
      assertThat(through(nat, "outside", tcp(SERVER, 80, OWN, 4_000, Tcp.SYN | Tcp.ACK)))
          .isEqualTo(SERVER + ":80 > " + HOST + ":4000");
      assertThat(nat.read("mappings")).isEqualTo("2");
      assertThat(nat.read("table"))
          .contains(HOST + ":4000 udp " + OWN + ":4000 1", HOST + ":4000 tcp " + OWN + ":4000 1");
    }
  }

  /** RFC 4787, REQ-1, 3 and 4. */
  @Test
  void shouldMapAPortOnceForAllWhomItTalksTo() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      int first = outsidePort(nat, udp(HOST, 4_000, SERVER, 53));
      assertThat(outsidePort(nat, udp(HOST, 4_000, OTHER_SERVER, 53))).isEqualTo(first);
      assertThat(outsidePort(nat, udp(HOST, 4_000, SERVER, 54))).isEqualTo(first);
      int second = outsidePort(nat, udp(OTHER_HOST, 4_000, SERVER, 53));
      assertThat(second).isNotEqualTo(first).isEven();
      assertThat(outsidePort(nat, udp(OTHER_HOST, 4_001, SERVER, 53))).isEqualTo(4_001);
      assertThat(outsidePort(nat, udp(HOST, 4_001, SERVER, 53))).isOdd();
      assertThat(outsidePort(nat, udp(HOST, 53, SERVER, 53))).isGreaterThanOrEqualTo(1_024);
    }
  }

  /** RFC 4787, REQ-8; RFC 5382, REQ-3. */
  @ParameterizedTest
  @CsvSource({
    "ENDPOINT_INDEPENDENT, 3",
    "ADDRESS_DEPENDENT, 2",
    "ADDRESS_AND_PORT_DEPENDENT, 1",
  })
  void shouldFilterAsItIsSaid(NatFiltering filtering, int wanted) {
    try (var nat = new ElementHarness(new Nat(SETTINGS.withFiltering(filtering)))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER, 53));
      nat.pushTo("outside", udp(SERVER, 53, OWN, 4_000));
      nat.pushTo("outside", udp(SERVER, 54, OWN, 4_000));
      nat.pushTo("outside", udp(OTHER_SERVER, 53, OWN, 4_000));
      assertThat(nat.out("inside")).hasSize(wanted);
      assertThat(nat.drops().getOrDefault("nat_filtered", 0L)).isEqualTo(3L - wanted);
    }
  }

  /** Packets of a session's other direction, on the side where they do not come from. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void shouldDropWhatIsForgedOnTheWrongSide(boolean isPlain) {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder question = udp(HOST, 4_000, SERVER, 53);
      FrameBuilder answer = udp(SERVER, 53, OWN, 4_000);
      nat.pushTo("inside", question);
      nat.pushTo("outside", answer);
      nat.pushTo("inside", question);
      nat.pushTo("outside", answer);
      assertThat(nat.out("outside")).hasSize(2);
      assertThat(nat.out("inside")).hasSize(2);
      FrameBuilder forgedInside = udp(SERVER, 53, OWN, 4_000);
      FrameBuilder forgedOutside = udp(HOST, 4_000, SERVER, 53);
      nat.pushTo("inside", isPlain ? forgedInside : forgedInside.vlan(7));
      nat.pushTo("outside", isPlain ? forgedOutside : forgedOutside.vlan(7));
      assertThat(nat.out("outside")).isEmpty();
      assertThat(nat.out("inside")).isEmpty();
      assertThat(nat.out("hairpin")).isEmpty();
      assertThat(nat.drops()).containsOnly(Map.entry("no_connection", 2L));
    }
  }

  @Test
  void shouldGiveOutWhatIsOfNoMapping() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder unknown = udp(SERVER, 53, OWN, 4_000);
      FrameBuilder ping = icmp4().between(SERVER, OWN).icmp(icmp -> icmp.type(Icmp.ECHO));
      FrameBuilder acknowledgment = tcp(SERVER, 80, OWN, 4_000, Tcp.ACK);
      nat.pushTo("outside", unknown, ping, acknowledgment);
      assertThat(nat.out("rest"))
          .containsExactly(FrameBuilder.bytesOf(unknown, ping, acknowledgment));
    }
  }

  @Test
  void shouldLeadForwardedPortsInsideAndTheirAnswersBack() {
    NatForward forward = NatForward.parse("tcp 203.0.113.1:80 -> 10.0.0.5:8080");
    NatSettings settings =
        SETTINGS
            .withForwards(List.of(forward))
            .withFiltering(NatFiltering.ADDRESS_AND_PORT_DEPENDENT);
    try (var nat = new ElementHarness(new Nat(settings))) {
      assertThat(through(nat, "outside", tcp(SERVER, 4_000, OWN, 80, Tcp.SYN)))
          .isEqualTo(SERVER + ":4000 > " + HOST + ":8080");
      assertThat(through(nat, "inside", tcp(HOST, 8_080, SERVER, 4_000, Tcp.SYN | Tcp.ACK)))
          .isEqualTo(OWN + ":80 > " + SERVER + ":4000");
      nat.round();
      nat.advance(30 * 86_400 * SECOND_NS);
      assertThat(nat.read("connections")).isEqualTo("0");
      assertThat(through(nat, "outside", tcp(OTHER_SERVER, 4_000, OWN, 80, Tcp.SYN)))
          .isEqualTo(OTHER_SERVER + ":4000 > " + HOST + ":8080");
    }
  }

  @Test
  void shouldTellTwoForwardsToOnePortApart() {
    NatSettings settings =
        SETTINGS.withForwards(
            List.of(
                NatForward.parse("tcp 203.0.113.1:80 -> 10.0.0.5:80"),
                NatForward.parse("tcp 203.0.113.1:81 -> 10.0.0.5:80")));
    try (var nat = new ElementHarness(new Nat(settings))) {
      nat.pushTo("outside", tcp(SERVER, 4_000, OWN, 80, Tcp.SYN));
      nat.pushTo("outside", tcp(SERVER, 4_000, OWN, 81, Tcp.SYN));
      nat.pushTo("outside", tcp(SERVER, 4_001, OWN, 81, Tcp.SYN));
      assertThat(nat.out("inside")).hasSize(2);
      assertThat(nat.drops()).containsOnly(Map.entry("nat_untranslatable", 1L));
      assertThat(through(nat, "inside", tcp(HOST, 80, SERVER, 4_000, Tcp.SYN | Tcp.ACK)))
          .isEqualTo(OWN + ":80 > " + SERVER + ":4000");
      assertThat(through(nat, "inside", tcp(HOST, 80, SERVER, 4_001, Tcp.SYN | Tcp.ACK)))
          .isEqualTo(OWN + ":81 > " + SERVER + ":4001");
    }
  }

  /** RFC 4787, REQ-9: both addresses are those that hosts have outside. */
  @Test
  void shouldLetHostsInsideReachEachOtherByTheirOutsideAddresses() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp(HOST, 4_000, SERVER, 53), udp(OTHER_HOST, 5_000, SERVER, 53));
      nat.out("outside");
      nat.pushTo("inside", udp(HOST, 4_000, OWN, 5_000));
      List<byte[]> again = nat.out("hairpin");
      assertThat(again).hasSize(1);
      nat.pushTo("outside", again.toArray(byte[][]::new));
      assertThat(endpoints(nat.packet("inside")))
          .isEqualTo(OWN + ":4000 > " + OTHER_HOST + ":5000");
      nat.pushTo("inside", udp(OTHER_HOST, 5_000, OWN, 4_000));
      nat.pushTo("outside", nat.out("hairpin").toArray(byte[][]::new));
      assertThat(endpoints(nat.packet("inside"))).isEqualTo(OWN + ":5000 > " + HOST + ":4000");
    }
  }

  private static byte[] ip(byte[] frame) {
    return Arrays.copyOfRange(frame, 14, frame.length);
  }

  private static FrameBuilder error(String from, String to, byte[] about) {
    return icmp4().between(from, to).icmp(icmp -> icmp.type(Icmp.TIME_EXCEEDED)).payload(ip(about));
  }

  /** What an error quotes: its addresses and ports, whose checksums are right. */
  private static String quoted(Packet packet) {
    HeaderScanner scanner = new HeaderScanner();
    QuotedPacket quoted = new QuotedPacket();
    scanner.scan(packet);
    assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
    assertThat(quoted.find(packet, scanner)).isTrue();
    assertThat(InternetChecksum.verifyIpv4Header(packet, quoted.l3Offset())).isTrue();
    int l4 = quoted.l4Offset();
    boolean isUdp = quoted.ipProtocol() == IpProtocol.UDP;
    int bytes = quoted.end() - l4;
    assertThat(
            isUdp
                ? InternetChecksum.verifyUdp(packet, quoted.l3Offset(), l4, bytes)
                : InternetChecksum.verifyIcmp(packet, l4, bytes))
        .isTrue();
    return "%s:%d > %s:%d"
        .formatted(
            Ipv4Address.format(packet.i32(quoted.l3Offset() + 12)),
            packet.u16(isUdp ? l4 : l4 + 4),
            Ipv4Address.format(packet.i32(quoted.l3Offset() + 16)),
            packet.u16(l4 + 2));
  }

  /** RFC 5508, REQ-4 and 5: with what they quote. */
  @Test
  void shouldTranslateErrorsAndWhatTheyQuote() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      nat.pushTo("inside", udp(OTHER_HOST, 4_000, SERVER, 53));
      nat.out("outside");
      nat.pushTo("inside", udp(HOST, 4_000, SERVER, 53));
      byte[] outside = nat.out("outside").getFirst();
      int port = (outside[34] & 0xFF) << 8 | (outside[35] & 0xFF);
      nat.pushTo("outside", error("198.51.100.77", OWN, outside));
      Packet packet = nat.packet("inside");
      assertThat(quoted(packet)).isEqualTo(HOST + ":4000 > " + SERVER + ":53");
      assertThat(Ipv4Address.format(packet.i32(26))).isEqualTo("198.51.100.77");
      assertThat(Ipv4Address.format(packet.i32(30))).isEqualTo(HOST);

      nat.pushTo("outside", udp(SERVER, 53, OWN, port));
      byte[] inside = nat.out("inside").getFirst();
      nat.pushTo("inside", error("10.0.0.254", SERVER, inside));
      packet = nat.packet("outside");
      assertThat(quoted(packet)).isEqualTo(SERVER + ":53 > " + OWN + ":" + port);
      assertThat(Ipv4Address.format(packet.i32(26))).isEqualTo(OWN);
      nat.pushTo("outside", error("198.51.100.77", OWN, udp(OWN, 999, SERVER, 53).toBytes()));
      assertThat(nat.out("rest")).hasSize(1);
    }
  }

  /** RFC 5508, REQ-1 and 2; errors about queries, too. */
  @Test
  void shouldTranslateIdentifiersOfQueries() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder echo =
          icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(7).sequenceNumber(1)).payload(9);
      nat.pushTo("inside", echo.between(HOST, SERVER), echo.between(OTHER_HOST, SERVER));
      List<byte[]> sent = nat.out("outside");
      Set<Integer> identifiers = new HashSet<>();
      for (byte[] frame : sent) {
        identifiers.add((frame[38] & 0xFF) << 8 | (frame[39] & 0xFF));
      }
      assertThat(identifiers).hasSize(2).contains(7);
      int other = identifiers.stream().filter(one -> one != 7).findFirst().orElseThrow();
      nat.pushTo(
          "outside",
          icmp4()
              .between(SERVER, OWN)
              .icmp(icmp -> icmp.type(Icmp.ECHO_REPLY).identifier(other).sequenceNumber(1))
              .payload(9));
      Packet packet = nat.packet("inside");
      HeaderScanner scanner = new HeaderScanner();
      scanner.scan(packet);
      assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
      assertThat(Ipv4Address.format(packet.i32(30))).isEqualTo(OTHER_HOST);
      assertThat(packet.u16(38)).isEqualTo(7);
      nat.pushTo("outside", error("198.51.100.77", OWN, sent.getLast()));
      assertThat(quoted(nat.packet("inside"))).startsWith(OTHER_HOST + ":7 > " + SERVER);
    }
  }

  /** Counted, and nothing breaks; a port is free again when its time is over. */
  @Test
  void shouldSayWhenPortsRunOut() {
    NatSettings settings = SETTINGS.withPorts(new PortRange(2_000, 2_003));
    try (var nat = new ElementHarness(new Nat(settings))) {
      for (int i = 0; i < 6; i++) {
        nat.pushTo("inside", udp(HOST, 4_000 + i, SERVER, 53));
      }
      assertThat(nat.out("outside")).hasSize(4);
      assertThat(nat.out("refused")).hasSize(2);
      nat.pushTo("inside", udp(HOST, 4_000, SERVER, 54));
      assertThat(nat.out("outside")).hasSize(1);
      nat.round();
      nat.advance(130 * SECOND_NS);
      assertThat(nat.read("mappings")).isEqualTo("0");
      assertThat(outsidePort(nat, udp(HOST, 4_009, SERVER, 53))).isBetween(2_000, 2_003);
    }
  }

  /**
   * Who takes all ports of TCP neither ends the rest of others, nor has the worker look for them.
   */
  @Test
  void shouldLetPortsRestThoughThoseOfAnotherProtocolRunOut() {
    NatSettings settings = SETTINGS.withPorts(new PortRange(2_000, 2_003));
    try (var nat = new ElementHarness(new Nat(settings))) {
      assertThat(outsidePort(nat, udp(HOST, 2_000, SERVER, 53))).isEqualTo(2_000);
      nat.round();
      nat.advance(121 * SECOND_NS);
      assertThat(nat.read("mappings")).isEqualTo("0");
      for (int i = 0; i < 5; i++) {
        nat.pushTo("inside", tcp(HOST, 4_000 + i, SERVER, 80, Tcp.SYN));
      }
      assertThat(nat.out("outside")).hasSize(4);
      assertThat(nat.out("refused")).hasSize(1);
      for (int i = 0; i < 3; i++) {
        assertThat(outsidePort(nat, udp(OTHER_HOST, 2_000 + i, SERVER, 53))).isNotEqualTo(2_000);
      }
      assertThat(outsidePort(nat, udp(OTHER_HOST, 2_003, SERVER, 53)))
          .as("there are no others")
          .isEqualTo(2_000);
    }
  }

  /** RFC 6888, REQ-4: one host cannot take all ports from the others. */
  @Test
  void shouldGiveNoHostMoreThanItsShare() {
    try (var nat = new ElementHarness(new Nat(SETTINGS.withMostPorts(2)))) {
      for (int i = 0; i < 4; i++) {
        nat.pushTo("inside", udp(HOST, 4_000 + i, SERVER, 53));
      }
      nat.pushTo("inside", udp(OTHER_HOST, 4_000, SERVER, 53));
      assertThat(nat.out("outside")).hasSize(3);
      assertThat(nat.out("refused")).hasSize(2);
    }
  }

  @Test
  void shouldCountForwardsAmongThePortsOfTheirHost() {
    NatForward forward = NatForward.parse("tcp " + OWN + ":8080 " + HOST + ":80");
    NatSettings settings = SETTINGS.withForwards(List.of(forward)).withMostPorts(2);
    try (var nat = new ElementHarness(new Nat(settings))) {
      for (int i = 0; i < 4; i++) {
        nat.pushTo("inside", udp(HOST, 4_000 + i, SERVER, 53));
      }
      assertThat(nat.out("outside")).hasSize(1);
      assertThat(nat.out("refused")).hasSize(3);
      assertThat(nat.read("table").lines())
          .containsExactlyInAnyOrder(
              HOST + ":80 tcp " + OWN + ":8080 0", HOST + ":4000 udp " + OWN + ":4000 1");
    }
  }

  @Test
  void shouldForgetWhatNobodyAnswersWhenItIsFull() {
    try (var nat = new ElementHarness(new Nat(SETTINGS.withConnections(8)))) {
      for (int i = 0; i < 40; i++) {
        nat.pushTo("inside", udp(HOST, 4_000 + i, SERVER, 53));
      }
      assertThat(nat.read("connections")).isEqualTo("8");
      assertThat(nat.read("mappings")).isEqualTo("8");
      assertThat(
              (long) nat.out("outside").size()
                  + nat.drops().values().stream().mapToLong(n -> n).sum())
          .isEqualTo(40);
    }
  }

  /** Of what has no ports one host at a time may talk to an address. */
  @Test
  void shouldTranslateAddressesOfWhatHasNoPorts() {
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      FrameBuilder gre = ipv4().protocol(IpProtocol.GRE).payload(40);
      nat.pushTo("inside", gre.between(HOST, SERVER));
      nat.expect("outside", gre.between(OWN, SERVER));
      nat.pushTo("outside", gre.between(SERVER, OWN));
      nat.expect("inside", gre.between(SERVER, HOST));
      nat.pushTo("inside", gre.between(OTHER_HOST, SERVER));
      nat.expectNothing("outside");
      assertThat(nat.drops()).containsOnly(Map.entry("nat_untranslatable", 1L));
    }
  }

  /** Others have connections from before: of the same ports, if these are free. */
  @Test
  void shouldGoOnWithConnectionsOfBeforeItsStart() {
    assertThat(SETTINGS.tracking()).isEqualTo(NatSettings.usual(TrackSettings.DEFAULT));
    try (var nat = new ElementHarness(new Nat(SETTINGS))) {
      assertThat(through(nat, "inside", tcp(HOST, 4_000, SERVER, 80, Tcp.ACK)))
          .isEqualTo(OWN + ":4000 > " + SERVER + ":80");
      assertThat(through(nat, "outside", tcp(SERVER, 80, OWN, 4_000, Tcp.ACK)))
          .isEqualTo(SERVER + ":80 > " + HOST + ":4000");
    }
  }

  /** Whatever comes and goes: who is answered is who has asked. */
  @ParameterizedTest
  @CsvSource({"8, 3, 1", "64, 40, 1", "1000, 2000, 3"})
  @Tag("sampled")
  void shouldBringEachAnswerToWhoHasAsked(int connections, int ports, int workers) {
    Random random = new Random(Soak.seed(11));
    NatSettings settings =
        SETTINGS
            .withConnections(connections)
            .withPorts(new PortRange(30_000, 30_000 + ports))
            .withWorkers(workers);
    int passed = 0;
    try (var nat = new ElementHarness(new Nat(settings))) {
      nat.round();
      for (int i = Soak.times(3_000, 300_000); i > 0; i--) {
        String host = "10.0.0." + (1 + random.nextInt(20));
        int port = 1 + random.nextInt(65_535);
        String server = "192.0.2." + (1 + random.nextInt(5));
        nat.pushTo("inside", udp(host, port, server, 53));
        if (nat.out("outside").size() + nat.out("refused").size() != 1) {
          throw new AssertionError("packet is lost");
        }
      }
      for (int i = Soak.times(3_000, 300_000); i > 0; i--) {
        String host = "10.0.0." + (1 + random.nextInt(20));
        int port = 1 + random.nextInt(200);
        nat.pushTo("inside", udp(host, port, SERVER, 53));
        List<byte[]> sent = nat.out("outside");
        nat.out("refused");
        for (byte[] frame : sent) {
          int outside = (frame[34] & 0xFF) << 8 | (frame[35] & 0xFF);
          assertThat(outside).isBetween(30_000, 30_000 + ports);
          nat.pushTo("outside", udp(SERVER, 53, OWN, outside));
          byte[] back = nat.out("inside").getFirst();
          assertThat(Arrays.copyOfRange(back, 30, 34)).isEqualTo(FrameBuilder.address(host));
          assertThat((back[36] & 0xFF) << 8 | (back[37] & 0xFF)).isEqualTo(port);
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

  @Test
  void shouldSayWhatIsWrongWithItsSettings() {
    assertThat(new Nat(NatSettings.of("203.0.113").withWorkers(0)).problems())
        .anyMatch(text -> text.startsWith("outside: not an IPv4 address"))
        .anyMatch(text -> text.startsWith("number out of range: workers=0; write 1 to 64"));
    NatForward elsewhere = NatForward.parse("udp 203.0.113.9:53 10.0.0.5:53");
    assertThat(new Nat(SETTINGS.withForwards(List.of(elsewhere))).problems())
        .containsExactly(
            "forward of an address that is not outside: forward=udp 203.0.113.9:53 10.0.0.5:53; write one of [203.0.113.1]");
    NatForward itself = NatForward.parse("udp 203.0.113.1:53 203.0.113.1:54");
    assertThat(new Nat(SETTINGS.withForwards(List.of(itself))).problems())
        .containsExactly(
            "forward leads to no host inside: forward=udp 203.0.113.1:53 203.0.113.1:54; write an address that a host has there");
    assertThat(new Nat(SETTINGS.withPorts(new PortRange(2_000, 2_003)).withWorkers(2)).problems())
        .anyMatch(
            text -> text.startsWith("a worker would have no port: ports=2000-2003, workers=2"));
    assertThat(new Nat(NatSettings.of("224.0.0.1")).problems())
        .containsExactly("outside address is no host's: address=224.0.0.1; write one of your own");
  }
}
