package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArpQuerierTest {
  private static final long SECOND = 1_000_000_000;
  private static final String OWN = "02:00:5e:00:00:01";
  private static final String NEIGHBOR = "02:00:5e:00:00:07";
  private static final String OTHER = "02:00:5e:00:00:08";
  private static final String NOBODY = "00:00:00:00:00:00";
  private static final String ALL = "ff:ff:ff:ff:ff:ff";
  private static final String OWN4 = "192.0.2.1";
  private static final String N4 = "192.0.2.7";
  private static final NeighborLimits SMALL =
      new NeighborLimits(8, 3, 2, 10_000, 30 * SECOND, 300 * SECOND);

  private static ArpQuerier querier(NeighborLimits limits) {
    return new ArpQuerier(OWN, OWN4 + "/24", "192.0.2.254", limits);
  }

  private static FrameBuilder to(String destination, int number) {
    return udp4().between("10.0.0.1", destination).ports(number, 2000);
  }

  private static byte[] addressed(FrameBuilder frame, String mac) {
    return frame.ethernet(OWN, mac).toBytes();
  }

  private static FrameBuilder request(String target) {
    return FrameBuilder.arp(Arp.REQUEST, OWN, OWN4, NOBODY, target).padding(18);
  }

  private static byte[] question(String target) {
    return request(target).toBytes();
  }

  private static FrameBuilder reply(String sender, String mac) {
    return FrameBuilder.arp(Arp.REPLY, mac, sender, OWN, OWN4);
  }

  @Test
  void shouldAskOnceHoldPacketsAndSendThemInTheirOrder() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(to(N4, 1), to(N4, 2));
      assertThat(harness.out("out")).containsExactly(question(N4));
      assertThat(harness.counts().held()).isEqualTo(2);
      assertThat(harness.read("table")).isEqualTo(N4 + " unresolved held=2");
      harness.pushTo("replies", reply(N4, NEIGHBOR).padding(18));
      harness.push(to(N4, 3));
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(to(N4, 1), NEIGHBOR),
              addressed(to(N4, 2), NEIGHBOR),
              addressed(to(N4, 3), NEIGHBOR));
      assertThat(harness.read("table")).isEqualTo(N4 + " " + NEIGHBOR + " reachable");
      assertThat(harness.read("count")).isEqualTo("1");
      assertThat(harness.read("queries")).isEqualTo("1");
      assertThat(harness.drops()).containsExactly(entry("consumed", 1L));
    }
  }

  @Test
  void shouldSendThroughTheRouterWhatTheLinkHasNot() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(to("198.51.100.2", 1), to("203.0.113.5", 2));
      assertThat(harness.out("out")).containsExactly(question("192.0.2.254"));
      harness.pushTo("replies", reply("192.0.2.254", OTHER));
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(to("198.51.100.2", 1), OTHER), addressed(to("203.0.113.5", 2), OTHER));
    }
  }

  @Test
  void shouldAskNobodyForGroupsAndBroadcasts() {
    FrameBuilder[] frames = {
      to("224.0.0.251", 1), to("239.255.1.2", 2), to("255.255.255.255", 3), to("192.0.2.255", 4)
    };
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(frames);
      assertThat(harness.out("out"))
          .containsExactly(
              addressed(frames[0], "01:00:5e:00:00:fb"),
              addressed(frames[1], "01:00:5e:7f:01:02"),
              addressed(frames[2], ALL),
              addressed(frames[3], ALL));
    }
  }

  @Test
  void shouldSayWhatHasNoRoute() {
    FrameBuilder[] frames = {
      to("198.51.100.2", 1), to(OWN4, 2), to("127.0.0.1", 3), to("0.0.0.0", 4), to("240.0.0.1", 5)
    };
    ArpQuerier alone = new ArpQuerier(OWN, OWN4 + "/24", "", SMALL);
    try (var harness = new ElementHarness(alone)) {
      harness.push(frames);
      harness.expect("unreachable", frames);
      harness.disconnect("unreachable").push(frames);
      assertThat(harness.drops()).containsExactly(entry("no_route", 5L));
      harness.expectNothing("out");
    }
  }

  @Test
  void shouldHoldTheLatestPacketsOfAFewNeighbors() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(to(N4, 1), to(N4, 2), to(N4, 3));
      harness.push(to("192.0.2.8", 1), to("192.0.2.9", 1), to("192.0.2.10", 1));
      assertThat(harness.counts().held()).isEqualTo(4);
      assertThat(harness.read("unresolved")).isEqualTo("3");
      assertThat(harness.drops())
          .containsOnly(entry("neighbour_full", 1L), entry("unresolved_full", 1L));
      harness.out("out");
      harness.pushTo("replies", reply(N4, NEIGHBOR));
      assertThat(harness.out("out"))
          .containsExactly(addressed(to(N4, 2), NEIGHBOR), addressed(to(N4, 3), NEIGHBOR));
      harness.push(to("192.0.2.10", 2));
      assertThat(harness.out("out")).containsExactly(question("192.0.2.10"));
    }
  }

  @Test
  void shouldAskThreeTimesThenGiveUp() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.round();
      harness.push(to(N4, 1));
      for (int tenth = 0; tenth < 40; tenth++) {
        harness.advance(SECOND / 10);
      }
      assertThat(harness.out("out")).containsExactly(question(N4), question(N4), question(N4));
      harness.expect("unreachable", to(N4, 1));
      assertThat(harness.read("unresolved")).isEqualTo("0");
      harness.disconnect("unreachable").push(to(N4, 2));
      for (int tenth = 0; tenth < 40; tenth++) {
        harness.advance(SECOND / 10);
      }
      assertThat(harness.drops()).containsExactly(entry("unresolved", 1L));
    }
  }

  @Test
  void shouldKeepTheRateOfQuestions() {
    NeighborLimits slow = new NeighborLimits(1_024, 64, 2, 10, 30 * SECOND, 300 * SECOND);
    try (var harness = new ElementHarness(querier(slow))) {
      harness.round();
      for (int host = 2; host < 34; host++) {
        harness.push(to("192.0.2." + host, 1));
      }
      assertThat(harness.out("out")).hasSize(1);
      for (int tenth = 0; tenth < 20; tenth++) {
        harness.advance(SECOND / 10);
      }
      assertThat(harness.out("out")).hasSize(20);
      for (int tenth = 0; tenth < 50; tenth++) {
        harness.advance(SECOND / 10);
      }
      // Whoever could not be asked in time is given up, too.
      assertThat(harness.counts().held()).isZero();
    }
  }

  @Test
  void shouldAskTheNeighborItselfAfterSomeTimeOfUse() {
    byte[] again = addressed(request(N4), NEIGHBOR);
    try (var harness = new ElementHarness(querier(SMALL))) {
      resolve(harness);
      harness.advance(30 * SECOND);
      harness.push(to(N4, 1), to(N4, 2));
      assertThat(harness.out("out"))
          .containsExactly(again, addressed(to(N4, 1), NEIGHBOR), addressed(to(N4, 2), NEIGHBOR));
      harness.pushTo("replies", reply(N4, NEIGHBOR));
      harness.advance(29 * SECOND);
      harness.push(to(N4, 3));
      assertThat(harness.out("out")).containsExactly(addressed(to(N4, 3), NEIGHBOR));
    }
  }

  @Test
  void shouldBeginAnewWhenTheNeighborDoesNotAnswerAnyMore() {
    byte[] again = addressed(request(N4), NEIGHBOR);
    byte[] sent = addressed(to(N4, 1), NEIGHBOR);
    try (var harness = new ElementHarness(querier(SMALL))) {
      resolve(harness);
      harness.advance(30 * SECOND);
      for (int i = 0; i < 3; i++) {
        harness.push(to(N4, 1));
        harness.push(to(N4, 1));
        assertThat(harness.out("out")).containsExactly(again, sent, sent);
        harness.advance(SECOND);
      }
      harness.push(to(N4, 1));
      assertThat(harness.out("out")).containsExactly(question(N4));
      harness.pushTo("replies", reply(N4, OTHER));
      assertThat(harness.out("out")).containsExactly(addressed(to(N4, 1), OTHER));
    }
  }

  private static void resolve(ElementHarness harness) {
    harness.round();
    harness.push(to(N4, 0));
    harness.pushTo("replies", reply(N4, NEIGHBOR));
    harness.out("out");
  }

  @Test
  void shouldForgetWhoWasNotHeardOf() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      resolve(harness);
      for (int second = 0; second < 299; second++) {
        harness.advance(SECOND);
      }
      assertThat(harness.read("count")).isEqualTo("1");
      for (int tenth = 0; tenth < 310; tenth++) {
        harness.advance(SECOND / 10);
      }
      assertThat(harness.read("count")).isEqualTo("0");
      assertThat(harness.read("forgotten")).isEqualTo("1");
    }
  }

  @Test
  void shouldLetTheLeastUsedGoForANewNeighbor() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      for (int host = 2; host < 10; host++) {
        harness.push(to("192.0.2." + host, 1));
        harness.pushTo("replies", reply("192.0.2." + host, NEIGHBOR));
        harness.advance(1);
      }
      harness.push(to("192.0.2.2", 2), to("192.0.2.77", 1));
      assertThat(harness.read("table")).contains("192.0.2.3 ");
      harness.pushTo("replies", reply("192.0.2.77", NEIGHBOR));
      assertThat(harness.read("table"))
          .contains("192.0.2.2 ", "192.0.2.77 ")
          .doesNotContain("192.0.2.3 ");
      assertThat(harness.read("count")).isEqualTo("8");
    }
  }

  /** A scan of the link's addresses: RFC 6583. */
  @Test
  void shouldKeepWhoIsKnownAndTakeUpWhoAnswersWhileSomebodyScans() {
    try (var harness = new ElementHarness(querier(SMALL)).disconnect("unreachable")) {
      harness.round();
      for (int host = 2; host < 10; host++) {
        harness.push(to("192.0.2." + host, 1));
        harness.pushTo("replies", reply("192.0.2." + host, NEIGHBOR));
      }
      for (int host = 20; host < 220; host++) {
        harness.push(to("192.0.2." + host, 1));
        harness.advance(SECOND / 100);
      }
      assertThat(harness.read("count")).isEqualTo("8");
      assertThat(harness.read("forgotten")).isEqualTo("0");
      assertThat(harness.read("unresolved")).isEqualTo("3");
      assertThat(Integer.parseInt(harness.read("displaced"))).isBetween(30, 60);
      assertThat(harness.drops()).containsOnlyKeys("consumed", "unresolved", "unresolved_full");
      harness.advance(SECOND / 10);
      harness.out("out");
      harness.push(to("192.0.2.240", 1), to("192.0.2.5", 2));
      assertThat(harness.out("out"))
          .containsExactlyInAnyOrder(
              question("192.0.2.240"), addressed(to("192.0.2.5", 2), NEIGHBOR));
      harness.pushTo("replies", reply("192.0.2.240", OTHER));
      assertThat(harness.out("out")).containsExactly(addressed(to("192.0.2.240", 1), OTHER));
    }
  }

  @Test
  void shouldAskForNewcomersWhileAllPlacesAreTakenByMany() {
    NeighborLimits many = new NeighborLimits(8, 512, 1, 100_000, 30 * SECOND, 300 * SECOND);
    try (var harness = new ElementHarness(new ArpQuerier(OWN, "10.0.0.1/8", "", many))) {
      harness.round();
      for (int host = 0; host < 1_024; host++) {
        if (host == 512) {
          harness.advance(SECOND / 10);
        }
        harness.push(to("10.1." + host / 256 + "." + host % 256, 1));
      }
      // An address has eight places only, which may be taken.
      assertThat(Integer.parseInt(harness.read("displaced"))).isBetween(480, 512);
      assertThat(Integer.parseInt(harness.read("queries"))).isBetween(990, 1_024);
    }
  }

  @Test
  void shouldLetTheOneForWhichTheFewestPacketsWaitGiveWay() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.round();
      harness.push(to(N4, 1), to(N4, 2), to("192.0.2.8", 1), to("192.0.2.9", 1));
      harness.advance(SECOND / 10);
      harness.push(to("192.0.2.10", 1), to("192.0.2.11", 1));
      assertThat(harness.read("table"))
          .contains(N4 + " ", "192.0.2.10 ", "192.0.2.11 ")
          .doesNotContain("192.0.2.8 ", "192.0.2.9 ");
      assertThat(harness.out("unreachable"))
          .containsExactlyInAnyOrder(FrameBuilder.bytesOf(to("192.0.2.8", 1), to("192.0.2.9", 1)));
    }
  }

  @Test
  void shouldConfirmWhoIsKnownThoughOthersUseUpTheRate() {
    NeighborLimits slow = new NeighborLimits(8, 64, 2, 1, 30 * SECOND, 300 * SECOND);
    try (var harness = new ElementHarness(querier(slow))) {
      resolve(harness);
      harness.advance(30 * SECOND);
      harness.push(to("192.0.2.20", 1), to("192.0.2.21", 1));
      assertThat(harness.out("out")).containsExactly(question("192.0.2.20"));
      assertThat(harness.read("queries_delayed")).isEqualTo("1");
      harness.push(to(N4, 1));
      assertThat(harness.out("out"))
          .containsExactly(addressed(request(N4), NEIGHBOR), addressed(to(N4, 1), NEIGHBOR));
    }
  }

  @Test
  void shouldBelieveWhoeverIsKnownAlready() {
    String all = "255.255.255.255";
    FrameBuilder gratuitous = FrameBuilder.arp(Arp.REQUEST, OTHER, N4, NOBODY, N4);
    FrameBuilder stranger = FrameBuilder.arp(Arp.REPLY, OTHER, "192.0.2.66", ALL, all);
    try (var harness = new ElementHarness(querier(SMALL))) {
      resolve(harness);
      harness.pushTo("replies", gratuitous, stranger);
      assertThat(harness.read("table")).isEqualTo(N4 + " " + OTHER + " stale");
      harness.push(to(N4, 1));
      assertThat(harness.out("out"))
          .containsExactly(addressed(request(N4), OTHER), addressed(to(N4, 1), OTHER));
    }
  }

  @Test
  void shouldTakeUpWhoAsksForItAndNoticeWhoUsesItsAddress() {
    FrameBuilder asks = FrameBuilder.arp(Arp.REQUEST, OTHER, "192.0.2.9", NOBODY, OWN4);
    FrameBuilder probe = FrameBuilder.arp(Arp.REQUEST, OTHER, "0.0.0.0", NOBODY, OWN4);
    FrameBuilder conflict = FrameBuilder.arp(Arp.REPLY, OTHER, OWN4, ALL, OWN4);
    FrameBuilder echo = FrameBuilder.arp(Arp.REQUEST, OWN, OWN4, NOBODY, N4);
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.pushTo("replies", asks, probe, conflict, echo);
      assertThat(harness.read("table")).isEqualTo("192.0.2.9 " + OTHER + " stale");
      assertThat(harness.read("conflicts")).isEqualTo("1");
      assertThat(harness.drops()).containsExactly(entry("consumed", 4L));
    }
  }

  @Test
  void shouldDropWhatIsNoWholeMessageAndSendOnWhatIsNone() {
    FrameBuilder reply = reply(N4, NEIGHBOR);
    byte[] right = reply.toBytes();
    byte[][] others = FrameBuilder.bytesOf(reply.vlan(3), to(N4, 9), ethernet(0x0842));
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(to(N4, 1));
      for (int length = 14; length < right.length; length++) {
        harness.pushTo("replies", Arrays.copyOf(right, length));
      }
      harness.pushTo(
          "replies", reply.bytes(15, 6), reply.bytes(18, 7), reply.bytes(22, 1), reply(N4, NOBODY));
      harness.pushTo("replies", others);
      harness.pushTo("replies", new byte[3]);
      assertThat(harness.out("rest")).startsWith(others).hasSize(4).endsWith(new byte[3]);
      assertThat(harness.drops()).containsExactly(entry("malformed", 32L));
      assertThat(harness.read("unresolved")).isEqualTo("1");
      harness.disconnect("rest").pushTo("replies", to(N4, 9));
      assertThat(harness.drops()).containsEntry("not_used", 1L);
    }
  }

  @Test
  void shouldDropPacketsThatItCannotAddress() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(udp6(), to(N4, 1).vlan(1), to(N4, 1).bytes(14, 0x65));
      harness.push(Arrays.copyOf(to(N4, 1).toBytes(), 33), new byte[13]);
      assertThat(harness.drops())
          .containsOnly(
              entry("not_ipv4", 2L),
              entry("tagged", 1L),
              entry("truncated_ip", 1L),
              entry("bad_ip_version", 1L));
    }
  }

  @Test
  void shouldTakeAddressesByHand() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      harness.push(to(N4, 1));
      harness.write("add", N4 + " " + NEIGHBOR);
      harness.write("add", "192.0.2.8  " + OTHER);
      harness.advance(400 * SECOND);
      harness.pushTo("replies", reply(N4, OTHER));
      harness.push(to(N4, 2), to("192.0.2.8", 3));
      assertThat(harness.out("out"))
          .containsExactly(
              question(N4),
              addressed(to(N4, 1), NEIGHBOR),
              addressed(to(N4, 2), NEIGHBOR),
              addressed(to("192.0.2.8", 3), OTHER));
      assertThat(harness.read("table").lines())
          .containsExactlyInAnyOrder(
              N4 + " " + NEIGHBOR + " permanent", "192.0.2.8 " + OTHER + " permanent");
      harness.write("clear", N4);
      assertThat(harness.read("count")).isEqualTo("1");
      harness.push(to(N4, 4));
      harness.write("clear", "all");
      assertThat(harness.read("table")).isEqualTo(N4 + " unresolved held=1");
    }
  }

  @Test
  void shouldRefuseWhatIsNoNeighbor() {
    try (var harness = new ElementHarness(querier(SMALL))) {
      for (String text :
          List.of("", N4, N4 + " 02:00", "192.0.2 " + OTHER, N4 + " " + ALL, N4 + " " + NOBODY)) {
        assertThatExceptionOfType(ConfigException.class)
            .isThrownBy(() -> harness.write("add", text));
      }
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> harness.write("clear", "everything"));
      for (int host = 2; host < 10; host++) {
        harness.write("add", "192.0.2." + host + " " + NEIGHBOR);
      }
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> harness.write("add", "192.0.2.10 " + NEIGHBOR))
          .withMessageContaining("no room");
      harness.push(to("192.0.2.10", 1));
      assertThat(harness.drops()).containsExactly(entry("unresolved_full", 1L));
    }
  }

  @Test
  void shouldRefuseParametersThatCannotBe() {
    NeighborLimits none = new NeighborLimits(0, 0, 0, 0, 0, -1);
    assertThat(new ArpQuerier(ALL, "192.0.2.1", "192.0.2", none).problems()).hasSize(9);
    assertThat(new ArpQuerier(OWN, "224.0.0.1/24", "").problems())
        .singleElement()
        .asString()
        .contains("text=224.0.0.1/24", "192.0.2.1/24");
    assertThat(new ArpQuerier(OWN, "192.0.2.1/33", "").problems()).hasSize(1);
    assertThat(new ArpQuerier(OWN, "192.0.2.1/0", "").problems()).isEmpty();
  }

  /** RFC 3021: a link of two addresses has no broadcast. */
  @Test
  void shouldAskForBothAddressesOfAPointToPointLink() {
    try (var harness = new ElementHarness(new ArpQuerier(OWN, "192.0.2.0/31", "", SMALL))) {
      harness.push(to("192.0.2.1", 1));
      assertThat(harness.read("unresolved")).isEqualTo("1");
      assertThat(harness.out("out")).hasSize(1);
    }
  }
}
