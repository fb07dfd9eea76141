package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.address;
import static io.linerate.testkit.graph.FrameBuilder.arp;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Graph;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import io.linerate.wire.Icmpv6;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkTest {
  private static final String OWN = "02:00:00:00:00:0a";
  private static final String OWN4 = "192.0.2.1";
  private static final String OWN6 = "2001:db8::1";
  private static final String NEIGHBOR = "02:00:00:00:00:07";
  private static final String N4 = "192.0.2.7";
  private static final String N6 = "2001:db8::7";
  private static final String ALL = "ff:ff:ff:ff:ff:ff";

  private static Graph link() {
    return Link.of(OWN, OWN4 + "/24", "fe80::a/64", OWN6 + "/64");
  }

  private static FrameBuilder solicitation(String target) {
    return icmp6()
        .ethernet(NEIGHBOR, "33:33:ff:00:00:01")
        .between(N6, "ff02::1:ff00:1")
        .ipv6(ip -> ip.hopLimit(255))
        .icmp(icmp -> icmp.type(Icmpv6.NEIGHBOR_SOLICITATION).restOfHeader(0))
        .payload(address(target), new byte[] {1, 1}, address(NEIGHBOR));
  }

  @Test
  void shouldHaveInputsAndOutputsForTheVersionsThatItHasAddressesOf() {
    assertThat(link().inputs()).containsExactly("in", "ip", "via", "ip6", "via6");
    assertThat(link().outputs()).containsExactly("out", "unreachable", "ip", "ip6", "rest");
    assertThat(Link.of(OWN, OWN4 + "/24").inputs()).containsExactly("in", "ip", "via");
    assertThat(Link.of(OWN, OWN4 + "/24").outputs())
        .containsExactly("out", "unreachable", "ip", "rest");
    assertThat(Link.of(OWN, OWN6 + "/64").inputs()).containsExactly("in", "ip6", "via6");
  }

  @Test
  void shouldAnswerWhoAsksForItsAddresses() {
    try (var harness = new ElementHarness(link())) {
      harness.push(arp(Arp.REQUEST, NEIGHBOR, N4, ALL, OWN4));
      harness.expect("out", arp(Arp.REPLY, OWN, OWN4, NEIGHBOR, N4));
      harness.push(solicitation(OWN6));
      assertThat(harness.out("out"))
          .singleElement()
          .satisfies(
              frame -> assertThat(frame).startsWith(address(NEIGHBOR)).endsWith(address(OWN)));
      assertThat(harness.read("nd.replies")).isEqualTo("1");
      assertThat(harness.read("responder.replies")).isEqualTo("1");
    }
  }

  @Test
  void shouldFindNeighborsOfWhatIsToBeSent() {
    FrameBuilder four = udp4().between("198.51.100.1", N4);
    FrameBuilder six = udp6().between("2001:db8:1::1", N6);
    try (var harness = new ElementHarness(link())) {
      harness.pushTo("ip", four);
      harness.pushTo("ip6", six);
      assertThat(harness.out("out")).hasSize(2); // The questions.
      harness.push(arp(Arp.REPLY, NEIGHBOR, N4, OWN, OWN4));
      harness.push(
          icmp6()
              .ethernet(NEIGHBOR, OWN)
              .between(N6, OWN6)
              .ipv6(ip -> ip.hopLimit(255))
              .icmp(icmp -> icmp.type(Icmpv6.NEIGHBOR_ADVERTISEMENT).restOfHeader(0x6000_0000))
              .payload(address(N6), new byte[] {2, 1}, address(NEIGHBOR)));
      harness.expect("out", four.ethernet(OWN, NEIGHBOR), six.ethernet(OWN, NEIGHBOR));
      assertThat(harness.read("arp.table")).startsWith(N4 + " " + NEIGHBOR);
      assertThat(harness.read("nd.table")).startsWith(N6 + " " + NEIGHBOR);
    }
  }

  @Test
  void shouldTellWhatIsSentToItFromTheRest() {
    FrameBuilder own4 = udp4().ethernet(NEIGHBOR, OWN);
    FrameBuilder own6 = udp6().ethernet(NEIGHBOR, OWN);
    FrameBuilder[] rest = {
      udp4().ethernet(NEIGHBOR, ALL),
      udp4().ethernet(NEIGHBOR, "02:00:00:00:00:0c"),
      udp6().ethernet(NEIGHBOR, "33:33:00:00:00:01"),
      udp4().ethernet(NEIGHBOR, OWN).vlan(5),
      ethernet().ethernet(NEIGHBOR, OWN),
      ethernet(0x0800).ethernet(NEIGHBOR, OWN).bytes(0, 1)
    };
    try (var harness = new ElementHarness(link())) {
      harness.push(own4, own6);
      harness.push(rest);
      harness.expect("ip", own4);
      harness.expect("ip6", own6);
      harness.expect("rest", rest);
    }
    try (var harness = new ElementHarness(Link.of(OWN, OWN6 + "/64"))) {
      harness.push(own4, own6);
      harness.expect("ip6", own6);
      harness.expect("rest", own4);
    }
  }

  @Test
  void shouldSendWhatLeavesTheLinkToItsRouters() {
    Graph host =
        Link.of(OWN, List.of(OWN4 + "/24", OWN6 + "/64"), List.of("192.0.2.254", "fe80::254"));
    FrameBuilder four = udp4().between(OWN4, "198.51.100.1");
    try (var harness = new ElementHarness(host)) {
      harness.pushTo("ip", four);
      harness.push(arp(Arp.REPLY, NEIGHBOR, "192.0.2.254", OWN, OWN4));
      assertThat(harness.out("out").getLast()).isEqualTo(four.ethernet(OWN, NEIGHBOR).toBytes());
    }
    FrameBuilder six = udp6().between("2001:db8:1::1", "2001:db8:2::1");
    try (var harness = new ElementHarness(link())) {
      harness.pushTo("ip", four);
      harness.pushTo("ip6", six);
      harness.expect("unreachable", four, six);
      harness.disconnect("unreachable").pushTo("ip", four);
      assertThat(harness.drops()).containsExactly(entry("no_route", 1L));
    }
  }

  @Test
  void shouldRefuseWhatIsNoEndOfALink() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Link.of(OWN, "192.0.2.1/24", "192.0.2.2/24"))
        .withMessageContaining(
            "too many addresses of a link: addresses=192.0.2.1/24, 192.0.2.2/24");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Link.of(OWN))
        .withMessageContaining("no address of a link");
    Graph wrong = Graph.of(g -> g.add("left", Link.of("02:zz", "192.0.2.1", "fe80::a/264")));
    assertThat(wrong.problems())
        .filteredOn(problem -> !problem.what().contains("connected"))
        .extracting(problem -> problem.element())
        .containsOnly("left/kind", "left/responder", "left/arp", "left/nd");
  }
}
