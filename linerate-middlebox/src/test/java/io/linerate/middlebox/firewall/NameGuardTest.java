package io.linerate.middlebox.firewall;

import static io.linerate.middlebox.firewall.Client.bytes;
import static io.linerate.middlebox.firewall.Client.dns;
import static io.linerate.middlebox.firewall.Client.http;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.middlebox.firewall.RuleBook.Line;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.track.ConnectionTable;
import io.linerate.track.OrderedBytes;
import io.linerate.track.TrackSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules by name, from inside ({@code out}) and outside ({@code back}). */
class NameGuardTest {
  private static final Direction OUT = new Direction("lan", "wan");
  private static final Direction BACK = new Direction("wan", "lan");
  private static final Client WEB = new Client(80);
  private static final long SECOND = 1_000_000_000;

  private final List<ElementHarness> harnesses = new ArrayList<>();
  private RuleBook book = RuleBook.of(RulesFile.parse("r", "", _ -> {}), List.of());
  private OrderedBytes kept = new OrderedBytes(OrderedBytes.MIN_PAGES);
  private ElementHarness out;
  private ElementHarness back;

  NameGuardTest() {
    out = firewall("drop name evil.example");
    back = harnesses.getLast();
  }

  /** Both directions know the same connections. */
  private ElementHarness firewall(String rules) {
    return firewall(rules, 1_000);
  }

  private ElementHarness firewall(String rules, int connections) {
    book = RuleBook.of(RulesFile.parse("r", rules, _ -> {}), List.of(OUT, BACK));
    Tracking tracking = new Tracking(connections, TrackSettings.DEFAULT, OrderedBytes.MIN_PAGES);
    for (Direction direction : List.of(OUT, BACK)) {
      harnesses.add(
          new ElementHarness(new RuleFilter(book, direction, true, Optional.of(tracking)), 64));
    }
    kept = tracking.of(0, 0).names().orElseThrow().bytes();
    out = harnesses.get(harnesses.size() - 2);
    back = harnesses.getLast();
    return out;
  }

  @AfterEach
  void buffersAreHome() {
    harnesses.forEach(ElementHarness::close);
  }

  private void open(Client client) {
    out.push(client.syn());
    back.push(client.synAck(0));
    out.push(client.ack());
    out.out("out");
    back.out("out");
  }

  private List<Long> hits() {
    return book.lines().stream().map(Line::hits).toList();
  }

  @Test
  void shouldRefuseAConnectionInBothDirectionsFromItsNameOn() {
    open(WEB);
    out.push(WEB.data(http("evil.example"), 0, 20));
    assertThat(out.out("out")).hasSize(1);
    out.push(WEB.data(http("evil.example"), 20, 38));
    back.push(WEB.serverAck(20));
    out.push(WEB.ack());
    assertThat(out.out("out")).isEmpty();
    assertThat(back.out("out")).isEmpty();
    assertThat(out.drops()).containsOnly(Map.entry("rule", 1L), Map.entry("name_refused", 1L));
    assertThat(back.drops()).containsOnly(Map.entry("name_refused", 1L));
    assertThat(hits().getFirst()).isEqualTo(1);
    assertThat(kept.slots()).isZero();
  }

  @Test
  void shouldGiveOutWhatARuleByNameRejects() {
    firewall("reject name *.example limit 1/h");
    open(WEB);
    byte[] request = WEB.data(0, http("evil.example"));
    out.push(request);
    assertThat(out.out("rejected")).containsExactly(request);
    assertThat(out.out("ended")).as("for its receiver").containsExactly(request);
    Client other = WEB.withPort(4_001);
    open(other);
    out.push(other.data(0, http("evil.example")));
    assertThat(out.out("rejected")).isEmpty();
    assertThat(out.drops()).containsOnly(Map.entry("rule_limit", 1L));
  }

  @Test
  void shouldKeepBytesUntilTheServerHasThem() {
    open(WEB);
    byte[] request = http("good.example");
    out.push(WEB.data(0, request));
    assertThat(kept.slots()).isEqualTo(1);
    out.push(WEB.data(0, request));
    out.push(WEB.data(0, http("evil.example")));
    assertThat(out.out("out")).hasSize(2);
    assertThat(out.drops()).containsOnly(Map.entry("overlap", 1L));
    back.push(WEB.serverAck(request.length - 1));
    assertThat(kept.slots()).isEqualTo(1);
    back.push(WEB.serverAck(request.length));
    assertThat(kept.slots()).isZero();
    assertThat(kept.freePages()).isEqualTo(OrderedBytes.MIN_PAGES);
    out.push(WEB.data(request.length, http("evil.example")));
    assertThat(out.out("out")).as("decided").hasSize(1);
  }

  /** What comes into a full table takes the number of one that nobody has answered. */
  @Test
  void shouldNotTakeTheBytesOfAnotherConnectionForItsOwn() {
    firewall("drop name evil.example", ConnectionTable.MIN_CAPACITY);
    byte[] evil = http("evil.example");
    for (int port = 1; port <= ConnectionTable.MIN_CAPACITY; port++) {
      out.push(WEB.withPort(port).syn());
    }
    out.out("out");
    List<byte[]> burst = new ArrayList<>(List.of(WEB.syn()));
    for (int port = 1; port <= ConnectionTable.MIN_CAPACITY; port++) {
      burst.add(WEB.withPort(port).syn(evil));
    }
    out.push(burst.toArray(byte[][]::new));
    assertThat(out.out("out")).containsExactly(WEB.syn());
    back.push(WEB.synAck(0));
    out.push(WEB.ack(), WEB.data(0, http("good.example")));
    assertThat(out.out("out")).hasSize(2);
    assertThat(out.drops())
        .containsOnly(
            Map.entry("rule", ConnectionTable.MIN_CAPACITY - 1L), Map.entry("name_hidden", 1L));
  }

  /** All in one burst, as from a file: what a packet was is not what the last of them makes it. */
  @Test
  void shouldDecideABurstPacketByPacket() {
    byte[] evil = http("evil.example");
    out.push(
        WEB.syn(),
        WEB.synAck(0),
        WEB.ack(),
        WEB.data(evil, 0, 10),
        WEB.serverAck(10),
        WEB.data(evil, 10, evil.length),
        WEB.data(evil, 10, evil.length));
    assertThat(out.out("out")).hasSize(5);
    assertThat(out.drops()).containsOnly(Map.entry("rule", 1L), Map.entry("name_refused", 1L));
  }

  @Test
  void shouldReadNothingThatNoRuleAsksFor() {
    firewall("drop to 203.0.113.0/24 name evil.example\ndrop in wan name evil.example");
    open(WEB);
    out.push(WEB.data(0, http("evil.example")));
    out.push(new Client(53).datagram(dns("evil.example")));
    assertThat(out.out("out")).hasSize(2);
    assertThat(kept.slots()).isZero();
    back.push(udp4().ports(1, 53).payload(dns("evil.example")).toBytes());
    assertThat(back.drops()).containsOnly(Map.entry("rule", 1L));
    assertThat(hits()).containsExactly(0L, 1L, 2L + 3L, 0L);
  }

  /** What servers answer comes by a direction that no rule by name is about. */
  @Test
  void shouldSeeWhatComesBackWhereRulesAreAboutOneDirection() {
    firewall("drop in lan name evil.example");
    open(WEB);
    byte[] request = http("good.example");
    out.push(WEB.data(0, request));
    assertThat(kept.slots()).isEqualTo(1);
    back.push(WEB.serverAck(request.length));
    assertThat(kept.slots()).isZero();
    assertThat(back.out("out")).hasSize(1);
    Client other = WEB.withPort(4_001);
    open(other);
    out.push(other.data(0, http("evil.example")));
    back.push(other.serverAck(0));
    assertThat(back.out("out")).isEmpty();
    assertThat(back.drops()).containsOnly(Map.entry("name_refused", 1L));
  }

  @Test
  void shouldTryRulesByNameInTheirOrderWhenAllOthersPass() {
    firewall(
        """
        reject udp name *.example
        drop name b.a.example
        pass to 192.0.2.1
        drop name c.test
        drop from 10.0.0.1
        """);
    Client client = new Client(53);
    out.push(client.datagram(dns("b.a.example")));
    assertThat(out.out("rejected")).hasSize(1);
    out.push(client.datagram(dns("example")), client.datagram(dns("c.TEST")));
    out.push(udp4().between("10.0.0.1", "192.0.2.2").ports(1, 53).payload(dns("x.test")).toBytes());
    assertThat(out.out("out")).hasSize(1);
    assertThat(hits()).containsExactly(1L, 0L, 1L, 1L, 1L, 0L, 0L);
  }

  @Test
  void shouldLookAtQuestionsOnTheirPortOnly() {
    Client other = new Client(54);
    out.push(other.datagram(dns("evil.example")));
    assertThat(out.out("out")).hasSize(1);
    Client client = new Client(53);
    out.push(
        client.datagram(dns("evil.example")),
        client.datagram(dns("good.example")),
        client.datagram(dns("evil.example")));
    assertThat(out.out("out")).as("each by itself").hasSize(1);
    assertThat(out.drops()).containsOnly(Map.entry("rule", 2L));
  }

  @Test
  void shouldDropWhatItHasNoRoomToRead() {
    byte[] request = http("good.example");
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i <= OrderedBytes.MIN_PAGES; i++) {
      clients.add(WEB.withPort(5_000 + i));
      open(clients.get(i));
    }
    clients.forEach(client -> out.push(client.data(request, 0, 10)));
    assertThat(out.out("out")).hasSize(OrderedBytes.MIN_PAGES);
    assertThat(out.drops()).containsOnly(Map.entry("names_full", 1L));
    Client last = clients.getLast();
    out.push(clients.getFirst().data(request, 10, request.length));
    back.push(clients.getFirst().serverAck(request.length));
    out.push(last.data(request, 0, 10));
    assertThat(out.out("out")).as("there is room again").hasSize(2);
  }

  @Test
  void shouldRefuseTheOldestThatNeverEndWhereThereIsNoRoom() {
    byte[] request = http("good.example");
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i <= OrderedBytes.MIN_PAGES; i++) {
      clients.add(WEB.withPort(5_000 + i));
      open(clients.get(i));
    }
    clients.subList(0, 8).forEach(client -> out.push(client.data(request, 0, 10)));
    out.advance(31 * SECOND);
    out.push(clients.getLast().data(0, request));
    assertThat(out.out("out")).hasSize(OrderedBytes.MIN_PAGES + 1);
    for (Client client : clients) {
      out.push(client.data(request, 10, request.length));
    }
    assertThat(out.drops()).containsOnly(Map.entry("name_refused", 1L));
  }

  /** RFC 7413: nobody needs an address of its own to send a SYN with data. */
  @Test
  void shouldLeaveRoomForConnectionsThatAreAnswered() {
    for (int port = 5_000; port < 5_100; port++) {
      out.push(WEB.withPort(port).syn(bytes("GET /")));
    }
    assertThat(kept.slots()).isEqualTo(OrderedBytes.MIN_PAGES / 2);
    assertThat(out.out("out")).hasSize(OrderedBytes.MIN_PAGES / 2);
    open(WEB);
    out.push(WEB.data(0, http("good.example")));
    assertThat(out.out("out")).hasSize(1);
    assertThat(out.drops()).containsOnly(Map.entry("names_full", 96L));
  }

  @Test
  void shouldForgetTheBytesOfConnectionsThatGo() {
    open(WEB);
    out.push(WEB.data(http("evil.example"), 0, 10));
    assertThat(kept.slots()).isEqualTo(1);
    out.advance(3 * 3_600 * SECOND);
    out.advance(3 * 3_600 * SECOND);
    assertThat(out.read("connections")).isEqualTo("0");
    assertThat(kept.slots()).isZero();
  }

  @Test
  void shouldDecideByNamesInsideOfTunnels() {
    firewall("inner on\ndrop name evil.example");
    byte[] header = {8, 0, 0, 0, 0, 0, 7, 0};
    for (String name : List.of("evil.example", "good.example")) {
      byte[] inner = udp4().ports(1_000, 53).payload(dns(name)).toBytes();
      out.push(udp4().ports(5_000, 4_789).payload(header, inner).toBytes());
    }
    assertThat(out.out("out")).hasSize(1);
    assertThat(out.drops()).containsOnly(Map.entry("rule", 1L));
    assertThat(hits().getFirst()).isEqualTo(1);
  }

  @Test
  void shouldTakeOtherNamesWhileItRuns() {
    open(WEB);
    book.add("drop name good.example", OptionalInt.empty());
    out.push(WEB.data(0, http("good.example")));
    assertThat(out.drops()).containsOnly(Map.entry("rule", 1L));
    book.remove(0, "drop name evil.example");
    book.remove(0, "drop name good.example");
    Client other = WEB.withPort(4_001);
    open(other);
    out.push(other.data(0, http("evil.example")));
    assertThat(out.out("out")).hasSize(1);
    assertThat(kept.slots()).isZero();
    RuleBook plain =
        RuleBook.of(RulesFile.parse("r", "drop state invalid", _ -> {}), List.of(OUT, BACK));
    assertThatThrownBy(() -> plain.add("drop name a.example", OptionalInt.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names are not read, since no rule asked for it at the start");
  }

  /**
   * A client sends a forbidden request in any segments, and others with other bytes between them; a
   * server takes some of those that pass, and of bytes that come twice the first or the last. It
   * never has all of the request.
   */
  @Test
  @Tag("sampled")
  void shouldNeverLetAServerReadAForbiddenName() {
    Random random = new Random(Soak.seed(23));
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < Soak.times(300, 30_000); i++) {
      Client client = WEB.withPort(1_000 + i % 60_000).withIsn(random.nextInt());
      out.advance(31 * SECOND); // What others have left goes where there is no room.
      back.advance(31 * SECOND);
      open(client);
      Server server = new Server(client, random);
      for (int step = 0; step < 60 && server.wants(); step++) {
        byte[] frame = server.segment(random);
        out.push(frame);
        boolean isPassed = !out.out("out").isEmpty();
        passed += isPassed ? 1 : 0;
        refused += isPassed ? 0 : 1;
        if (isPassed && random.nextInt(3) > 0) {
          server.take();
        }
        if (random.nextInt(3) == 0) {
          back.push(client.serverAck(server.acknowledged()));
          back.out("out");
        }
      }
      assertThat(server.read()).isNotEqualTo(Server.TEXT);
    }
    assertThat(passed).isGreaterThan(refused / 10);
    assertThat(refused).isPositive();
  }

  /** What a server has of a request, and the client that wants it to have the forbidden one. */
  private static final class Server {
    private static final String TEXT = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    private static final byte[] EVIL = bytes(TEXT);
    private static final byte[] GOOD = http("good.example");

    private final Client client;
    private final boolean isFirstKept;
    private final int[] has = new int[EVIL.length];

    // The segment that was sent last.
    private byte[] bytes = {};
    private int at;

    Server(Client client, Random random) {
      this.client = client;
      isFirstKept = random.nextBoolean();
      Arrays.fill(has, -1);
    }

    byte[] segment(Random random) {
      at = random.nextInt(3) == 0 ? 0 : random.nextInt(EVIL.length);
      int end = random.nextInt(3) == 0 ? EVIL.length : at + 1 + random.nextInt(EVIL.length - at);
      bytes = Arrays.copyOfRange(random.nextInt(4) == 0 ? GOOD : EVIL, at, end);
      return client.data(at, bytes);
    }

    /** Bytes that are acknowledged are read: they do not change any more. */
    void take() {
      int read = acknowledged();
      for (int i = 0; i < bytes.length; i++) {
        if (has[at + i] < 0 || (!isFirstKept && at + i >= read)) {
          has[at + i] = bytes[i];
        }
      }
    }

    int acknowledged() {
      int end = 0;
      while (end < has.length && has[end] >= 0) {
        end++;
      }
      return end;
    }

    boolean wants() {
      return acknowledged() < has.length;
    }

    String read() {
      StringBuilder text = new StringBuilder();
      for (int each : has) {
        text.append((char) Math.max(each, 0));
      }
      return text.toString();
    }
  }

  /** Without tricks, whatever way the network cuts and sorts it. */
  @Test
  @Tag("sampled")
  void shouldPassWhatIsNotForbiddenHoweverItIsCut() {
    Random random = new Random(Soak.seed(29));
    for (int i = 0; i < Soak.times(100, 10_000); i++) {
      Client client = WEB.withPort(1_000 + i % 60_000).withIsn(random.nextInt());
      out.advance(31 * SECOND); // Connections that are done with go.
      back.advance(31 * SECOND);
      open(client);
      byte[] request =
          i % 2 == 0 ? http("good.example") : bytes("SSH-2.0-OpenSSH_9.9 and more\r\n");
      List<byte[]> frames = new ArrayList<>();
      int at = 0;
      while (at < request.length) {
        int end = Math.min(request.length, at + 1 + random.nextInt(12));
        frames.add(client.data(request, random.nextInt(at + 1), end));
        at = end;
      }
      frames.addAll(List.copyOf(frames.subList(0, random.nextInt(frames.size()))));
      Collections.shuffle(frames, random);
      out.push(frames.toArray(new byte[0][]));
      back.push(client.serverAck(request.length));
      assertThat(out.out("out")).hasSize(frames.size());
      back.out("out");
    }
    assertThat(kept.slots()).isZero();
    assertThat(out.drops()).isEmpty();
  }
}
