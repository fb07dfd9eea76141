package io.linerate.middlebox.balance;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.Packet;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Tcp;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalanceTest {
  private static final String SERVICE = "192.0.2.80";
  private static final String CLIENT = "198.51.100.7";
  private static final String OWN = "10.0.0.1";

  private static Backends backends() {
    String text = "tcp 192.0.2.80:80 -> 10.0.0.11:8080, 10.0.0.12:8080, 10.0.0.13:8080";
    return new Backends(List.of(BalancedService.parse(text)), true);
  }

  private static Balance balance(Backends backends) {
    return new Balance(backends, "", 1_024, Balance.usual(TrackSettings.DEFAULT));
  }

  private static FrameBuilder segment(int port, int flags) {
    return tcp4().between(CLIENT, SERVICE).ports(port, 80).tcp(tcp -> tcp.flags(flags));
  }

  private static String destination(byte[] frame) {
    int address = 0;
    for (int i = 30; i < 34; i++) {
      address = address << 8 | (frame[i] & 0xFF);
    }
    return Ipv4Address.format(address);
  }

  /** The backends that connections from some ports have. */
  private static Map<Integer, String> chosen(ElementHarness balance, int flags, int from, int to) {
    Map<Integer, String> chosen = new HashMap<>();
    for (int port = from; port < to; port++) {
      balance.pushTo("client", segment(port, flags));
      for (byte[] frame : balance.out("server")) {
        chosen.put(port, destination(frame));
      }
    }
    return chosen;
  }

  @Test
  void shouldGiveConnectionsToBackendsAndTheirAnswersBack() {
    try (var balance = new ElementHarness(balance(backends()))) {
      balance.pushTo("client", segment(4_000, Tcp.SYN));
      Packet packet = balance.packet("server");
      HeaderScanner scanner = new HeaderScanner();
      scanner.scan(packet);
      assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
      assertThat(packet.u16(36)).isEqualTo(8_080);
      String backend = Ipv4Address.format(packet.i32(30));
      assertThat(backend).startsWith("10.0.0.1");
      balance.pushTo(
          "server",
          tcp4()
              .between(backend, CLIENT)
              .ports(8_080, 4_000)
              .tcp(tcp -> tcp.flags(Tcp.SYN | Tcp.ACK)));
      packet = balance.packet("client");
      scanner.scan(packet);
      assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
      assertThat(Ipv4Address.format(packet.i32(26))).isEqualTo(SERVICE);
      assertThat(packet.u16(34)).isEqualTo(80);
      assertThat(chosen(balance, Tcp.SYN, 5_000, 5_300).values())
          .containsOnly("10.0.0.11", "10.0.0.12", "10.0.0.13");
    }
  }

  /** Of both forms: what is followed, and what is looked at closely. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldDropWhatIsForgedOnTheWrongSide(boolean isPlain) {
    try (var balance = new ElementHarness(balance(backends()))) {
      FrameBuilder question = segment(4_000, Tcp.SYN);
      balance.pushTo("client", question);
      String backend = destination(balance.out("server").getFirst());
      FrameBuilder answer =
          tcp4()
              .between(backend, CLIENT)
              .ports(8_080, 4_000)
              .tcp(tcp -> tcp.flags(Tcp.SYN | Tcp.ACK));
      balance.pushTo("server", answer);
      assertThat(balance.out("client")).hasSize(1);
      balance.pushTo("client", isPlain ? answer : answer.vlan(7));
      balance.pushTo("server", isPlain ? question : question.vlan(7));
      assertThat(balance.out("server")).isEmpty();
      assertThat(balance.out("client")).isEmpty();
      assertThat(balance.drops()).containsOnly(Map.entry("no_connection", 2L));
    }
  }

  @Test
  void shouldGiveOutWhatIsOfNoService() {
    try (var balance = new ElementHarness(balance(backends()))) {
      FrameBuilder other = udp4().between(CLIENT, SERVICE).ports(1, 80);
      FrameBuilder own = udp4().between("10.0.0.11", "192.0.2.53").ports(1, 53);
      balance.pushTo("client", other);
      balance.pushTo("server", own);
      assertThat(balance.out("rest")).containsExactly(other.toBytes());
      assertThat(balance.out("through")).containsExactly(own.toBytes());
    }
  }

  /** RFC 1191: a client's link is smaller than the server's. */
  @Test
  void shouldBringErrorsToTheBackendThatTheyAreAbout() {
    try (var balance = new ElementHarness(balance(backends()))) {
      balance.pushTo("client", segment(4_000, Tcp.SYN));
      String backend = destination(balance.out("server").getFirst());
      balance.pushTo(
          "server",
          tcp4()
              .between(backend, CLIENT)
              .ports(8_080, 4_000)
              .tcp(tcp -> tcp.flags(Tcp.SYN | Tcp.ACK)));
      byte[] answer = balance.out("client").getFirst();
      balance.pushTo(
          "client",
          icmp4()
              .between("198.51.100.1", SERVICE)
              .icmp(icmp -> icmp.type(Icmp.DESTINATION_UNREACHABLE).code(4))
              .payload(Arrays.copyOfRange(answer, 14, answer.length)));
      byte[] error = balance.out("server").getFirst();
      assertThat(destination(error)).isEqualTo(backend);
      assertThat(Arrays.copyOfRange(error, 42 + 12, 42 + 16))
          .isEqualTo(FrameBuilder.address(backend));
    }
  }

  /** Who has a connection keeps it, whatever weights others get; who is down loses it. */
  @Test
  void shouldKeepConnectionsWhereTheyAreUntilTheirBackendIsDown() throws Exception {
    Backends backends = backends();
    try (var balance = new ElementHarness(balance(backends))) {
      Map<Integer, String> before = chosen(balance, Tcp.SYN, 1_000, 1_300);
      balance.write("weight", "10.0.0.11:8080 weight 0");
      assertThat(chosen(balance, Tcp.SYN, 1_000, 1_300)).isEqualTo(before);
      assertThat(chosen(balance, Tcp.SYN, 2_000, 2_300).values())
          .containsOnly("10.0.0.12", "10.0.0.13");
      balance.write("remove", "10.0.0.12:8080");
      Map<Integer, String> after = chosen(balance, Tcp.SYN, 1_000, 1_300);
      before.forEach((port, backend) ->
          assertThat(after.get(port))
              .isEqualTo(backend.equals("10.0.0.12") ? "10.0.0.13" : backend));
      balance.write("add", "tcp 192.0.2.80:80 -> 10.0.0.14:8080 weight 5");
      assertThat(balance.read("backends"))
          .contains("10.0.0.11:8080 weight 0 up", "10.0.0.14:8080 weight 5 up")
          .doesNotContain("10.0.0.12");
      assertThatThrownBy(() -> backends.weight("10.0.0.12:8080 weight 1"))
          .hasMessageContaining("no such backend: backend=10.0.0.12:8080; there are [10.0.0.11");
      assertThatThrownBy(() -> backends.add("tcp 192.0.2.80:80 -> 10.0.0.14:8080"))
          .hasMessageContaining("backend is there already: backend=10.0.0.14:8080");
      assertThatThrownBy(() -> backends.weight("10.0.0.11:8080"))
          .hasMessage("no weight: text=10.0.0.11:8080; write ADDRESS:PORT weight N, of 0 to 100");
      assertThat(backends.text()).contains("10.0.0.11:8080 weight 0 up");
    }
  }

  /** A balancer that begins anew gives connections to the backends that they had. */
  @Test
  void shouldGoOnWithTheConnectionsOfAnother() {
    try (var one = new ElementHarness(balance(backends()));
        var other = new ElementHarness(balance(backends()))) {
      assertThat(chosen(other, Tcp.ACK, 1_000, 1_200))
          .isEqualTo(chosen(one, Tcp.SYN, 1_000, 1_200));
    }
  }

  /** The backend would take both for one, and so would its answers be. */
  @Test
  void shouldRefuseAConnectionThatItsBackendCannotTellFromAnother() {
    List<BalancedService> services =
        List.of(
            BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80"),
            BalancedService.parse("tcp 192.0.2.81:80 -> 10.0.0.11:80"));
    try (var balance = new ElementHarness(balance(new Backends(services, true)))) {
      FrameBuilder other = segment(1_000, Tcp.SYN).between(CLIENT, "192.0.2.81");
      balance.pushTo("client", segment(1_000, Tcp.SYN), other, other.ports(1_001, 80));
      assertThat(balance.out("server")).hasSize(2);
      balance.expect("refused", other);
      assertThat(balance.read("connections")).isEqualTo("2");
    }
  }

  @Test
  void shouldRefuseWhereNoBackendIsUp() {
    Backends none =
        new Backends(List.of(BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80")), false);
    none.remove("10.0.0.11:80");
    try (var balance = new ElementHarness(balance(none))) {
      balance.pushTo("client", segment(1_000, Tcp.SYN));
      assertThat(balance.out("refused")).hasSize(1);
      none.add("tcp 192.0.2.80:80 -> 10.0.0.12:80"); // It has not answered anything.
      balance.pushTo("client", segment(1_001, Tcp.SYN));
      assertThat(balance.out("refused")).hasSize(1);
    }
  }

  /** So that who begins anew goes on with the connections of before. */
  @Test
  void shouldTakeBackendsForUpAtTheBeginning() {
    List<BalancedService> services =
        List.of(BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80"));
    Balance direct =
        new Balance(
            new Backends(services, false),
            "02:00:00:00:00:99",
            1_024,
            Balance.usual(TrackSettings.DEFAULT));
    try (var balance = new ElementHarness(balance(new Backends(services, false)));
        var unknown = new ElementHarness(direct)) {
      balance.pushTo("client", segment(1_000, Tcp.ACK));
      assertThat(balance.out("server")).hasSize(1);
      unknown.pushTo("client", segment(1_000, Tcp.ACK));
      assertThat(unknown.drops()).containsOnly(Map.entry("backend_unknown", 1L));
    }
  }

  private static HealthSettings health(HealthSettings.Kind kind) {
    return new HealthSettings(kind, "/", Duration.ofSeconds(1), 2, 1);
  }

  /** Where a backend is, its answers say. */
  @Test
  void shouldSendToEthernetAddressesWhereBackendsAnswerThemselves() throws Exception {
    Backends backends =
        new Backends(List.of(BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80")), false);
    HealthCheck check = new HealthCheck(backends, health(HealthSettings.Kind.ICMP), OWN);
    Balance direct =
        new Balance(backends, "02:00:00:00:00:99", 1_024, Balance.usual(TrackSettings.DEFAULT));
    try (var asking = new ElementHarness(check);
        var balance = new ElementHarness(direct)) {
      goDown(backends);
      asking.round();
      byte[] question = asking.out("out").getFirst();
      assertThat(destination(question)).isEqualTo("10.0.0.11");
      FrameBuilder answer = icmp4().ethernet(MAC_A, "02:00:00:00:00:99").between("10.0.0.11", OWN);
      asking.push(echoReply(answer, 1, question));
      asking.advance(1_100_000_000);
      awaitUp(backends, true);
      FrameBuilder segment = segment(4_000, Tcp.SYN);
      balance.pushTo("client", segment);
      balance.expect("server", segment.ethernet("02:00:00:00:00:99", MAC_A));
      asking.advance(1_100_000_000);
      asking.advance(1_100_000_000);
      awaitUp(backends, false);
    }
  }

  /** As a check has found. */
  private static void goDown(Backends backends) throws InterruptedException {
    backends.found(backends.servers()[0], false);
    awaitUp(backends, false);
  }

  private static void awaitUp(Backends backends, boolean isUp) throws InterruptedException {
    for (int i = 0; i < 500 && (backends.choose(0, 1) != null) != isUp; i++) {
      Thread.sleep(10);
    }
    assertThat(backends.choose(0, 1) != null).isEqualTo(isUp);
  }

  @Test
  void shouldAskForAPageAndResetTheConnection() throws Exception {
    Backends backends = backends();
    HealthCheck check = new HealthCheck(backends, health(HealthSettings.Kind.HTTP), OWN);
    try (var asking = new ElementHarness(check)) {
      asking.round();
      List<byte[]> questions = asking.out("out");
      assertThat(questions).hasSize(3);
      Set<String> asked = new HashSet<>();
      questions.forEach(frame -> asked.add(destination(frame)));
      assertThat(asked).containsExactlyInAnyOrder("10.0.0.11", "10.0.0.12", "10.0.0.13");
      long next = Integer.toUnsignedLong(ByteBuffer.wrap(questions.getFirst()).getInt(38) + 1);
      FrameBuilder answer = tcp4().between("10.0.0.12", OWN).ports(8_080, 20_001);
      asking.push(
          answer.tcp(
              tcp -> tcp.flags(Tcp.SYN | Tcp.ACK).sequenceNumber(500).acknowledgmentNumber(next)));
      byte[] request = asking.out("out").getFirst();
      assertThat(new String(request, 54, request.length - 54, StandardCharsets.US_ASCII))
          .startsWith("GET / HTTP/1.0\r\n");
      asking.push(
          answer
              .tcp(tcp -> tcp.flags(Tcp.ACK).sequenceNumber(501).acknowledgmentNumber(next))
              .payload("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII)));
      byte[] reset = asking.out("out").getFirst();
      assertThat(reset[47] & 0xFF).isEqualTo(Tcp.RST | Tcp.ACK);
      asking.advance(1_100_000_000);
      asking.advance(1_100_000_000);
      for (int i = 0; i < 500 && backends.text().split("down", -1).length < 3; i++) {
        Thread.sleep(10);
      }
      assertThat(backends.text())
          .contains("10.0.0.11:8080 weight 1 down", "10.0.0.13:8080 weight 1 down");
    }
  }

  /** Not that of before, not one that was never asked, not what knows nothing of it. */
  @Test
  void shouldCountOnlyTheAnswerToTheLastQuestion() throws Exception {
    Backends backends =
        new Backends(List.of(BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80")), false);
    HealthCheck check = new HealthCheck(backends, health(HealthSettings.Kind.ICMP), OWN);
    try (var asking = new ElementHarness(check)) {
      goDown(backends);
      asking.round();
      FrameBuilder answer = icmp4().ethernet(MAC_A, MAC_B).between("10.0.0.11", OWN);
      byte[] question = asking.out("out").getFirst();
      byte[] guessed = question.clone();
      guessed[42]++;
      asking.push(echoReply(answer.ethernet(MAC_B, MAC_A), 1, guessed));
      assertThat(asking.read("answered")).as("guessed").isEqualTo("0");
      asking.push(echoReply(answer, 1, question));
      asking.push(echoReply(answer.ethernet(MAC_B, MAC_A), 7_777, question));
      asking.push(echoReply(answer.ethernet(MAC_B, MAC_A), 0, question));
      assertThat(asking.drops()).containsOnly(Map.entry("consumed", 4L));
      assertThat(asking.read("answered")).isEqualTo("1");
      asking.advance(1_100_000_000);
      awaitUp(backends, true);
      assertThat(backends.text()).endsWith(" up " + MAC_A + "\n");
    }
  }

  private static FrameBuilder echoReply(FrameBuilder frame, int number, byte[] question) {
    return frame
        .icmp(icmp -> icmp.type(Icmp.ECHO_REPLY).identifier(0).sequenceNumber(number))
        .payload(Arrays.copyOfRange(question, 42, 46));
  }

  @Test
  void shouldChangeBackendsAsAWholeOrNotAtAll() {
    BalancedService service = BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80");
    Backends backends = new Backends(List.of(service), true);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backends.add("tcp 192.0.2.80:80 -> 10.0.0.12:80, 10.0.0.11:80"))
        .withMessage("backend is there already: backend=10.0.0.11:80");
    String many =
        IntStream.range(0, Backends.MOST)
            .mapToObj(i -> "10.1.%d.%d:80".formatted(i / 200, i % 200 + 1))
            .collect(Collectors.joining(", "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backends.add("tcp 192.0.2.80:80 -> " + many))
        .withMessage("too many backends: backends=4097, most=4096; start the balancer anew");
    assertThat(backends.text()).hasLineCount(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backends(List.of(service, service), true))
        .withMessageStartingWith("service stands twice: service=tcp 192.0.2.80:80");
  }

  @Test
  void shouldHaveBackendsThatAreOnTheirLink() {
    BalancedService service = BalancedService.parse("tcp 192.0.2.80:80 -> 10.0.0.11:80");
    RouterLink link = new RouterLink("server", List.of("10.0.0.1/24"));
    Backends backends = new Backends(List.of(service), true, link);
    for (String nobody : List.of("10.0.1.12", "10.0.0.1", "10.0.0.0", "10.0.0.255")) {
      String text = "tcp 192.0.2.80:80 -> 10.0.0.12:80, " + nobody + ":80 weight 2";
      String message =
          "backend is no other host of its link: backend=%s:80 weight 2, link=server; write one of 10.0.0.1/24"
              .formatted(nobody);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> backends.add(text))
          .withMessage(message);
      List<BalancedService> services = List.of(BalancedService.parse(text));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Backends(services, true, link))
          .withMessage(message);
    }
    assertThat(backends.text()).hasLineCount(1);
  }
}
