package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.address;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeighborDiscoveryTest {
  private static final long SECOND = 1_000_000_000;
  private static final String OWN = "02:00:5e:00:00:01";
  private static final String NEIGHBOR = "02:00:5e:00:00:07";
  private static final String OTHER = "02:00:5e:00:00:08";
  private static final String LOCAL6 = "fe80::5eff:fe00:1";
  private static final String OWN6 = "2001:db8::1";
  private static final String N6 = "2001:db8::aa12:3456";
  private static final String ROUTER = "fe80::99";
  private static final String ALL_NODES = "ff02::1";
  private static final int SOLICITATION = 135;
  private static final int ADVERTISEMENT = 136;
  private static final int SOLICITED = 1 << 30;
  private static final int OVERRIDE = 1 << 29;
  private static final NeighborDiscovery HOST =
      NeighborDiscovery.of(OWN, ROUTER, LOCAL6 + "/64", OWN6 + "/64");

  private static FrameBuilder to(String destination, int number) {
    return udp6().between("2001:db8:9::9", destination).ports(number, 2000);
  }

  private static byte[] addressed(FrameBuilder frame, String to) {
    return frame.ethernet(OWN, to).toBytes();
  }

  private static byte[] option(int type, String mac) {
    return ByteBuffer.allocate(8).put((byte) type).put((byte) 1).put(address(mac)).array();
  }

  private static FrameBuilder message(
      int type, int flags, String source, String destination, String target, byte... options) {
    return ipv6()
        .between(source, destination)
        .ipv6(ip -> ip.hopLimit(255))
        .icmp(icmp -> icmp.type(type).restOfHeader(flags))
        .payload(address(target), options);
  }

  /** What is sent to find N6. */
  private static byte[] question() {
    return addressed(
        message(SOLICITATION, 0, LOCAL6, "ff02::1:ff12:3456", N6, option(1, OWN)),
        "33:33:ff:12:34:56");
  }

  private static FrameBuilder answer(int flags, String mac) {
    return message(ADVERTISEMENT, flags, N6, LOCAL6, N6, option(2, mac));
  }

  private static ElementHarness resolved() {
    ElementHarness harness = new ElementHarness(HOST);
    harness.round();
    harness.push(to(N6, 0));
    harness.pushTo("messages", answer(SOLICITED | OVERRIDE, NEIGHBOR));
    harness.out("out");
    return harness;
  }

  @Test
  void shouldAskHoldPacketsAndSendThem() {
    try (var harness = new ElementHarness(HOST)) {
      harness.push(to(N6, 1), to(N6, 2));
      assertThat(harness.out("out")).containsExactly(question());
      harness.pushTo("messages", answer(SOLICITED, NEIGHBOR).padding(5));
      harness.push(to(N6, 3));
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(to(N6, 1), NEIGHBOR),
              addressed(to(N6, 2), NEIGHBOR),
              addressed(to(N6, 3), NEIGHBOR));
      assertThat(harness.read("table")).isEqualTo(N6 + " " + NEIGHBOR + " reachable");
    }
  }

  @Test
  void shouldFindTheNextHop() {
    try (var harness = new ElementHarness(HOST)) {
      harness.write("add", ROUTER + " " + OTHER);
      harness.write("add", "fe80::5 " + NEIGHBOR);
      FrameBuilder[] frames = {
        to("2001:db8:7::1", 1), to("fe80::5", 2), to("ff02::1:2", 3), to("ff0e::8765:4321", 4)
      };
      harness.push(frames);
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(frames[0], OTHER),
              addressed(frames[1], NEIGHBOR),
              addressed(frames[2], "33:33:00:01:00:02"),
              addressed(frames[3], "33:33:87:65:43:21"));
      harness.push(to(OWN6, 1), to("::", 2), to("::1", 3));
      assertThat(harness.out("unreachable")).hasSize(3);
    }
    NeighborDiscovery alone = NeighborDiscovery.of(OWN, "", OWN6 + "/65");
    try (var harness = new ElementHarness(alone).disconnect("unreachable")) {
      harness.push(to("2001:db8:0:0:8000::1", 1), to("2001:db8:0:0:7fff::1", 1));
      assertThat(harness.drops()).containsExactly(entry("no_route", 1L));
      assertThat(harness.read("unresolved")).isEqualTo("1");
    }
  }

  @Test
  void shouldAnswerForItsAddresses() {
    String group = "ff02::1:ff00:1";
    FrameBuilder asked = message(SOLICITATION, 0, N6, group, OWN6, option(1, NEIGHBOR));
    FrameBuilder answered =
        message(ADVERTISEMENT, SOLICITED | OVERRIDE, OWN6, N6, OWN6, option(2, OWN));
    FrameBuilder withoutOption = message(SOLICITATION, 0, N6, LOCAL6, LOCAL6);
    FrameBuilder answeredLocal =
        message(ADVERTISEMENT, SOLICITED | OVERRIDE, LOCAL6, N6, LOCAL6, option(2, OWN));
    FrameBuilder probe = message(SOLICITATION, 0, "::", group, OWN6);
    FrameBuilder defended = message(ADVERTISEMENT, OVERRIDE, OWN6, ALL_NODES, OWN6, option(2, OWN));
    try (var harness = new ElementHarness(HOST)) {
      harness.pushTo("messages", asked, withoutOption.ethernet(OTHER, OWN), probe);
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(answered, NEIGHBOR),
              addressed(answeredLocal, OTHER),
              addressed(defended, "33:33:00:00:00:01"));
      assertThat(harness.read("replies")).isEqualTo("3");
      // RFC 4861, section 7.2.3: who asked is known, but has not been seen to receive.
      assertThat(harness.read("table")).isEqualTo(N6 + " " + NEIGHBOR + " stale");
      assertThat(harness.drops()).containsExactly(entry("consumed", 3L));
    }
  }

  @Test
  void shouldSendOnWhatIsNotForIt() {
    FrameBuilder forOther =
        message(SOLICITATION, 0, N6, "ff02::1:ff00:2", "2001:db8::2", option(1, NEIGHBOR));
    byte[][] others =
        FrameBuilder.bytesOf(forOther, icmp6(), udp4(), answer(SOLICITED, NEIGHBOR).vlan(1));
    try (var harness = new ElementHarness(HOST)) {
      harness.pushTo("messages", others);
      harness.pushTo("messages", new byte[7]);
      assertThat(harness.out("rest")).startsWith(others).hasSize(5).endsWith(new byte[7]);
      harness.disconnect("rest").pushTo("messages", others);
      assertThat(harness.drops()).containsExactly(entry("not_used", 4L));
    }
  }

  @Test
  void shouldHeedTheFlagsOfAdvertisements() {
    String at = N6 + " ";
    expect(answer(0, OTHER), at + NEIGHBOR + " stale");
    expect(answer(SOLICITED, OTHER), at + NEIGHBOR + " stale");
    expect(answer(OVERRIDE, OTHER), at + OTHER + " stale");
    expect(answer(OVERRIDE | SOLICITED, OTHER), at + OTHER + " reachable");
    expect(answer(0, NEIGHBOR), at + NEIGHBOR + " reachable");
    expect(message(ADVERTISEMENT, SOLICITED, N6, LOCAL6, N6), at + NEIGHBOR + " reachable");
  }

  private static void expect(FrameBuilder advertisement, String table) {
    try (var harness = resolved()) {
      harness.pushTo("messages", advertisement);
      assertThat(harness.read("table")).isEqualTo(table);
    }
  }

  @Test
  void shouldConfirmAnOldAddressByAskingItsNeighbor() {
    byte[] again = addressed(message(SOLICITATION, 0, LOCAL6, N6, N6, option(1, OWN)), NEIGHBOR);
    try (var harness = resolved()) {
      harness.advance(30 * SECOND);
      harness.push(to(N6, 1));
      assertThat(harness.out("out")).containsExactly(again, addressed(to(N6, 1), NEIGHBOR));
      // Without an option, as RFC 4861, section 4.4, allows to answers to one.
      harness.pushTo("messages", message(ADVERTISEMENT, SOLICITED, N6, LOCAL6, N6));
      assertThat(harness.read("table")).endsWith("reachable");
    }
  }

  @Test
  void shouldLearnNothingFromAdvertisementsThatNobodyWaitsFor() {
    FrameBuilder without = message(ADVERTISEMENT, SOLICITED, N6, LOCAL6, N6);
    FrameBuilder mine = message(ADVERTISEMENT, OVERRIDE, OWN6, ALL_NODES, OWN6, option(2, OTHER));
    try (var harness = new ElementHarness(HOST)) {
      harness.pushTo("messages", answer(SOLICITED | OVERRIDE, NEIGHBOR), mine);
      assertThat(harness.read("table")).isEmpty();
      assertThat(harness.read("conflicts")).isEqualTo("1");
      harness.push(to(N6, 1));
      harness.pushTo("messages", without);
      assertThat(harness.read("unresolved")).isEqualTo("1");
    }
  }

  @Test
  void shouldDropMessagesThatBreakTheRules() {
    FrameBuilder right = answer(SOLICITED | OVERRIDE, NEIGHBOR);
    FrameBuilder asked = message(SOLICITATION, 0, N6, OWN6, OWN6, option(1, NEIGHBOR));
    String group = "ff02::1:ff00:1";
    List<FrameBuilder> wrong =
        List.of(
            right.ipv6(ip -> ip.hopLimit(254)),
            message(ADVERTISEMENT, SOLICITED, N6, ALL_NODES, N6, option(2, NEIGHBOR)),
            message(ADVERTISEMENT, 0, N6, LOCAL6, ALL_NODES, option(2, NEIGHBOR)),
            message(ADVERTISEMENT, 0, N6, LOCAL6, N6, option(2, "33:33:00:00:00:01")),
            message(ADVERTISEMENT, 0, N6, LOCAL6, N6, new byte[] {2, 0, 0, 0, 0, 0, 0, 0}),
            message(ADVERTISEMENT, 0, N6, LOCAL6, N6, new byte[] {2, 2, 0, 0, 0, 0, 0, 0}),
            message(ADVERTISEMENT, 0, N6, LOCAL6, N6, new byte[] {2, 1, 0, 0}),
            message(SOLICITATION, 0, "::", group, OWN6, option(1, NEIGHBOR)),
            message(SOLICITATION, 0, "::", OWN6, OWN6),
            message(SOLICITATION, 0, ALL_NODES, OWN6, OWN6),
            asked.bytes(55, 1));
    try (var harness = new ElementHarness(HOST).disconnect("rest")) {
      wrong.forEach(frame -> harness.pushTo("messages", frame));
      assertThat(harness.drops()).containsExactly(entry("malformed", (long) wrong.size()));
      harness.pushTo("messages", right.bytes(85, 0x99));
      assertThat(harness.drops()).containsEntry("bad_checksum", 1L);
      for (byte[] whole : FrameBuilder.bytesOf(right, asked)) {
        for (int length = 0; length < whole.length; length++) {
          harness.pushTo("messages", Arrays.copyOf(whole, length));
        }
      }
      assertThat(harness.read("table")).isEmpty();
      harness.expectNothing("out");
    }
  }

  @Test
  void shouldDropPacketsThatItCannotAddress() {
    try (var harness = new ElementHarness(HOST)) {
      harness.push(udp4(), to(N6, 1).vlan(1));
      harness.push(Arrays.copyOf(to(N6, 1).toBytes(), 53), new byte[2]);
      assertThat(harness.drops())
          .containsOnly(entry("not_ipv6", 2L), entry("tagged", 1L), entry("truncated_ip", 1L));
    }
  }

  @Test
  void shouldGiveUpNeighborsThatDoNotAnswer() {
    try (var harness = new ElementHarness(HOST)) {
      harness.round();
      harness.push(to(N6, 1));
      for (int tenth = 0; tenth < 40; tenth++) {
        harness.advance(SECOND / 10);
      }
      assertThat(harness.out("out")).containsExactly(question(), question(), question());
      harness.expect("unreachable", to(N6, 1));
    }
  }

  @Test
  void shouldRefuseParametersThatCannotBe() {
    assertThat(NeighborDiscovery.of("02", "fe80::g", "2001:db8::1", "::/64").problems()).hasSize(4);
    assertThat(NeighborDiscovery.of(OWN, "").problems()).hasSize(1);
    assertThat(NeighborDiscovery.of(OWN, "", "2001:db8::1/129").problems()).hasSize(1);
    assertThat(HOST.problems()).isEmpty();
  }
}
