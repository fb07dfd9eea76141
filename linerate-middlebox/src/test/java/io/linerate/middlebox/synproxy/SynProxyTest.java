package io.linerate.middlebox.synproxy;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.testkit.graph.Layers;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Tcp;
import io.linerate.wire.TcpOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SynProxyTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final int ISN = 1_000;
  private static final int SERVER_ISN = -50;
  private static final int MSS = TcpOptions.MAXIMUM_SEGMENT_SIZE;
  private static final int[] OFFER = {MSS, 4, 5, 0xB4, 1, 3, 3, 6, 1, 1, 4, 2};

  private static SynProxy proxy() {
    return new SynProxy(
        List.of(SynService.parse("192.0.2.1:80"), SynService.parse("[2001:db8::/64]:80-90")),
        64,
        1_500);
  }

  private static FrameBuilder segment(int version, boolean isBack, int flags, int seq, int ack) {
    String clientAddress = version == 4 ? "198.51.100.7" : "2001:db8:9::7";
    String serverAddress = version == 4 ? "192.0.2.1" : "2001:db8::1";
    FrameBuilder frame = version == 4 ? tcp4() : tcp6();
    return (isBack
            ? frame.between(serverAddress, clientAddress).ports(80, 4_000)
            : frame.between(clientAddress, serverAddress).ports(4_000, 80))
        .tcp(tcp ->
            tcp.flags(flags)
                .sequenceNumber(Integer.toUnsignedLong(seq))
                .acknowledgmentNumber(Integer.toUnsignedLong(ack))
                .window(1_024));
  }

  private static Layers sound(ElementHarness proxy, String output) {
    Layers layers = proxy.layers(output);
    assertThat(InternetChecksum.verify(layers.packet(), layers.scanner())).isTrue();
    return layers;
  }

  /** The number that answers a SYN. */
  private static int cookie(ElementHarness proxy, int version) {
    proxy.pushTo("client", segment(version, false, Tcp.SYN, ISN, 0).options(OFFER));
    return (int) sound(proxy, "client").tcp().sequenceNumber();
  }

  /** A connection that is open; returns the number that its client was given. */
  private static int open(ElementHarness proxy, int version) {
    int cookie = cookie(proxy, version);
    proxy.pushTo("client", segment(version, false, Tcp.ACK, ISN + 1, cookie + 1));
    proxy.out("server");
    proxy.pushTo(
        "server",
        segment(version, true, Tcp.SYN | Tcp.ACK, SERVER_ISN, ISN + 1).options(MSS, 4, 5, 0xB4));
    proxy.out("server");
    proxy.out("client");
    return cookie;
  }

  @Test
  void shouldKeepOpenConnectionsWhenThereIsNoRoomForMore() {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = open(proxy, 4);
      for (int port = 1; port <= 63; port++) {
        openFrom(proxy, port);
      }
      assertThat(proxy.read("connections")).isEqualTo("64");
      proxy.pushTo("client", from(64, segment(4, false, Tcp.SYN, ISN, 0)));
      int other = (int) sound(proxy, "client").tcp().sequenceNumber();
      proxy.pushTo("client", from(64, segment(4, false, Tcp.ACK, ISN + 1, other + 1)));
      assertThat(proxy.drops()).containsEntry("connections_full", 1L);
      proxy.pushTo("client", segment(4, false, Tcp.ACK, ISN + 1, cookie + 1));
      assertThat(proxy.out("server")).hasSize(1);
      assertThat(proxy.read("evicted")).isEqualTo("0");
      assertThat(proxy.read("flows").lines()).hasSize(64);
    }
  }

  private static FrameBuilder from(int clientPort, FrameBuilder segment) {
    return segment.ports(clientPort, 80);
  }

  private static void openFrom(ElementHarness proxy, int clientPort) {
    proxy.pushTo("client", from(clientPort, segment(4, false, Tcp.SYN, ISN, 0).options(OFFER)));
    int cookie = (int) sound(proxy, "client").tcp().sequenceNumber();
    proxy.pushTo("client", from(clientPort, segment(4, false, Tcp.ACK, ISN + 1, cookie + 1)));
    proxy.pushTo(
        "server",
        segment(4, true, Tcp.SYN | Tcp.ACK, SERVER_ISN, ISN + 1)
            .ports(80, clientPort)
            .options(MSS, 4, 5, 0xB4));
    proxy.out("server");
    proxy.out("client");
  }

  @Test
  void shouldKeepNothingOfASyn() {
    try (var proxy = new ElementHarness(proxy())) {
      proxy.pushTo("client", segment(4, false, Tcp.SYN, ISN, 0).options(OFFER));
      Layers answer = sound(proxy, "client");
      assertThat(answer.tcp().flags()).isEqualTo(Tcp.SYN | Tcp.ACK);
      assertThat(answer.tcp().acknowledgmentNumber()).isEqualTo(ISN + 1);
      assertThat(answer.tcp().window()).isZero();
      TcpOptions options = new TcpOptions().wrap(answer.packet(), answer.scanner().l4Offset());
      assertThat(options.maximumSegmentSize()).isEqualTo(1_460);
      assertThat(options.windowScale()).isEqualTo(7);
      assertThat(options.sackPermitted()).isTrue();
      proxy.expectNothing("server");
      assertThat(proxy.read("connections")).isEqualTo("0");
      assertThat(proxy.drops()).containsOnly(Map.entry("syn_answered", 1L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void shouldAskTheServerWhenTheClientHasProvenWhereItIs(int version) {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = cookie(proxy, version);
      proxy.pushTo("client", segment(version, false, Tcp.ACK, ISN + 1, cookie + 1));
      Layers syn = sound(proxy, "server");
      assertThat(syn.tcp().flags()).isEqualTo(Tcp.SYN);
      assertThat(syn.tcp().sequenceNumber()).isEqualTo(ISN);
      assertThat(syn.tcp().destinationPort()).isEqualTo(80);
      assertThat(syn.tcp().window()).as("scaled by 6").isEqualTo(65_535);
      TcpOptions options = new TcpOptions().wrap(syn.packet(), syn.scanner().l4Offset());
      assertThat(options.maximumSegmentSize()).isEqualTo(version == 4 ? 1_460 : 1_440);
      assertThat(options.windowScale()).isEqualTo(6);

      proxy.pushTo(
          "server",
          segment(version, true, Tcp.SYN | Tcp.ACK, SERVER_ISN, ISN + 1)
              .options(MSS, 4, 5, 0xB4, 1, 3, 3, 2));
      Layers ack = sound(proxy, "server");
      assertThat(ack.tcp().flags()).isEqualTo(Tcp.ACK);
      assertThat(ack.tcp().sequenceNumber()).isEqualTo(ISN + 1);
      assertThat(ack.tcp().acknowledgmentNumber()).isEqualTo(0xFFFF_FFCFL);
      Layers update = sound(proxy, "client");
      assertThat(update.tcp().flags()).isEqualTo(Tcp.ACK);
      assertThat((int) update.tcp().sequenceNumber()).isEqualTo(cookie + 1);
      assertThat(update.tcp().window()).as("1024 bytes by 128").isEqualTo(8);
      assertThat(proxy.read("connections")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  void shouldTranslateNumbersInBothDirections(int version) {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = open(proxy, version);
      int edge = cookie + 101;
      proxy.pushTo(
          "client",
          segment(version, false, Tcp.ACK, ISN + 1, cookie + 1)
              .options(
                  1, // Edges at odd places.
                  5,
                  10,
                  edge >>> 24,
                  edge >>> 16 & 0xFF,
                  edge >>> 8 & 0xFF,
                  edge & 0xFF,
                  edge >>> 24,
                  edge >>> 16 & 0xFF,
                  edge >>> 8 & 0xFF,
                  edge & 0xFF)
              .payload(100));
      Layers there = sound(proxy, "server");
      assertThat(there.tcp().sequenceNumber()).isEqualTo(ISN + 1);
      assertThat(there.tcp().acknowledgmentNumber()).isEqualTo(0xFFFF_FFCFL);
      TcpOptions options = new TcpOptions().wrap(there.packet(), there.scanner().l4Offset());
      assertThat((int) options.sackLeftEdge(0)).isEqualTo(SERVER_ISN + 101);
      assertThat((int) options.sackRightEdge(0)).isEqualTo(SERVER_ISN + 101);

      proxy.pushTo(
          "server", segment(version, true, Tcp.ACK, SERVER_ISN + 1, ISN + 101).payload(200));
      Layers back = sound(proxy, "client");
      assertThat((int) back.tcp().sequenceNumber()).isEqualTo(cookie + 1);
      assertThat(back.tcp().acknowledgmentNumber()).isEqualTo(ISN + 101);
      assertThat(back.tcp().window()).isEqualTo(8);
    }
  }

  @Test
  void shouldDropWhatIsNotProven() {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = cookie(proxy, 4);
      proxy.pushTo(
          "client",
          segment(4, false, Tcp.ACK, ISN + 1, cookie + 0x101),
          segment(4, false, Tcp.ACK, ISN + 2, cookie + 1),
          segment(4, false, Tcp.ACK, ISN + 1, cookie + 2),
          segment(4, false, Tcp.ACK, ISN + 1, cookie + 1).ports(4_001, 80),
          segment(4, false, Tcp.RST, ISN + 1, 0),
          segment(4, false, Tcp.FIN | Tcp.ACK, ISN + 1, cookie + 1));
      proxy.advance(130 * SECOND_NS);
      proxy.pushTo("client", segment(4, false, Tcp.ACK, ISN + 1, cookie + 1));
      proxy.expectNothing("server");
      assertThat(proxy.drops())
          .containsOnly(Map.entry("syn_answered", 1L), Map.entry("syn_unproven", 7L));
    }
  }

  @Test
  void shouldTellTheClientWhenTheServerRefuses() {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = cookie(proxy, 4);
      proxy.pushTo("client", segment(4, false, Tcp.ACK, ISN + 1, cookie + 1));
      proxy.out("server");
      proxy.pushTo("server", segment(4, true, Tcp.RST | Tcp.ACK, 0, ISN + 1));
      Layers reset = sound(proxy, "client");
      assertThat(reset.tcp().has(Tcp.RST)).isTrue();
      assertThat((int) reset.tcp().sequenceNumber()).isEqualTo(cookie + 1);
      assertThat(proxy.read("connections")).isEqualTo("0");
    }
  }

  /** A SYN or its answer may be lost. */
  @Test
  void shouldAskAgainWhenTheClientSendsAgain() {
    try (var proxy = new ElementHarness(proxy())) {
      int cookie = cookie(proxy, 4);
      proxy.pushTo(
          "client",
          segment(4, false, Tcp.ACK, ISN + 1, cookie + 1),
          segment(4, false, Tcp.ACK | Tcp.PSH, ISN + 1, cookie + 1).payload(10));
      assertThat(proxy.out("server")).hasSize(2);
      assertThat(proxy.drops()).containsEntry("syn_waiting", 1L);
      FrameBuilder answer = segment(4, true, Tcp.SYN | Tcp.ACK, SERVER_ISN, ISN + 1);
      proxy.pushTo("server", answer, answer);
      assertThat(proxy.out("server")).hasSize(2);
      assertThat(proxy.out("client")).hasSize(1);
    }
  }

  /** Whoever sends it: its number is for rules and ends to judge. */
  @Test
  void shouldNotForgetAConnectionThatGoesOnBehindAReset() {
    try (var proxy = new ElementHarness(proxy())) {
      proxy.round();
      int cookie = open(proxy, 4);
      proxy.pushTo("client", segment(4, false, Tcp.RST, 77, 0));
      assertThat(proxy.out("server")).hasSize(1);
      proxy.pushTo("server", segment(4, true, Tcp.ACK, SERVER_ISN + 1, ISN + 1));
      proxy.out("client");
      proxy.advance(61 * SECOND_NS);
      proxy.pushTo("client", segment(4, false, Tcp.ACK, ISN + 1, cookie + 1));
      assertThat(sound(proxy, "server").tcp().acknowledgmentNumber()).isEqualTo(0xFFFF_FFCFL);
    }
  }

  @Test
  void shouldForgetConnections() {
    try (var proxy = new ElementHarness(proxy())) {
      proxy.round();
      int cookie = open(proxy, 4);
      proxy.pushTo("client", segment(4, false, Tcp.FIN | Tcp.ACK, ISN + 1, cookie + 1));
      proxy.pushTo("server", segment(4, true, Tcp.FIN | Tcp.ACK, SERVER_ISN + 1, ISN + 2));
      proxy.advance(61 * SECOND_NS);
      assertThat(proxy.read("connections")).isEqualTo("0");
      int other = open(proxy, 4);
      assertThat(other).isNotZero();
      proxy.advance(7_441 * SECOND_NS);
      proxy.advance(7_441 * SECOND_NS);
      assertThat(proxy.read("connections")).isEqualTo("0");
    }
  }

  @Test
  void shouldPassAllElse() {
    try (var proxy = new ElementHarness(proxy())) {
      byte[][] frames = {
        udp4().between("198.51.100.7", "192.0.2.1").ports(4_000, 80).toBytes(),
        segment(4, false, Tcp.SYN, ISN, 0).ports(4_000, 81).toBytes(),
        segment(6, false, Tcp.SYN, ISN, 0).ports(4_000, 91).toBytes(),
        icmp4().between("198.51.100.7", "192.0.2.1").toBytes()
      };
      proxy.pushTo("client", frames);
      assertThat(proxy.out("server")).containsExactly(frames);
      proxy.pushTo("server", frames);
      assertThat(proxy.out("client")).containsExactly(frames);
      assertThat(proxy.drops()).isEmpty();
    }
  }

  @Test
  void shouldSayWhatIsNoService() {
    assertThat(SynService.parse("10.0.0.0/8:1-65535")).hasToString("10.0.0.0/8:1-65535");
    assertThat(SynService.parse("[2001:db8::1]:443")).hasToString("[2001:db8::1/128]:443");
    for (String text :
        List.of("", "80", "10.0.0.1", "10.0.0.1:", "10.0.0.1:70000", "::1:80", "10.0.0.1:9-8")) {
      assertThatThrownBy(() -> SynService.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("not servers: text=" + text);
    }
    assertThat(new SynProxy(List.of(), 1, 1).problems()).hasSize(3);
  }

  /** Of the paper's appendix A. */
  @Test
  void shouldHashAsThePaperDoes() {
    SipHash hash = new SipHash(0x0706_0504_0302_0100L, 0x0f0e_0d0c_0b0a_0908L);
    assertThat(hash.begin().add(0x0706_0504_0302_0100L).end(0x0f0e_0d0c_0b0a_0908L))
        .isEqualTo(0xa129_ca61_49be_45e5L);
  }
}
