package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.net.ComputedNetwork.End;
import io.linerate.stream.net.ComputedNetwork.Faults;
import io.linerate.stream.net.Endpoint.Role;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends on a network that is computed: {@link ComputedNetwork}. */
@Timeout(120)
class EndpointTest {
  private static final long MS_NS = ComputedNetwork.MS_NS;
  private static final LinkKey KEY =
      LinkKey.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
  private static final LinkSettings SETTINGS =
      LinkSettings.DEFAULT.withBuffer(1 << 18).withKey(KEY);

  private static final UdpPath SERVER_PATH =
      new UdpPath(false, 0, 0x0A000002L, 4_242, 0, 0x0A000001L, 50_000);

  private final ComputedNetwork network = new ComputedNetwork();
  private final Random random = new Random(1);
  private End client = client(SETTINGS);
  private End server = server(SETTINGS);

  private End client(LinkSettings settings) {
    return network.new End(new Flows(settings), 0, Role.CLIENT);
  }

  private End server(LinkSettings settings) {
    return network.new End(new Flows(settings), 0, Role.SERVER);
  }

  private Flow connect() {
    client.other = server;
    server.other = client;
    return client.endpoint.connect(ComputedNetwork.CLIENT_PATH, network.nowNs).orElseThrow();
  }

  private List<byte[]> messages(int count, int mostBytes) {
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] message = new byte[random.nextInt(mostBytes)];
      random.nextBytes(message);
      messages.add(message);
    }
    return messages;
  }

  /** Gives all messages as there is room, and goes on until the flow has ended. */
  private void run(Flow flow, List<byte[]> messages, long mostNs) {
    run(flow, messages, 0, mostNs);
  }

  private void run(Flow flow, List<byte[]> messages, int from, long mostNs) {
    long endNs = network.nowNs + mostNs;
    int _ =
        runUntil(
            () -> network.nowNs >= endNs || client.events.contains("ended"), flow, messages, from);
  }

  /** Gives messages as there is room until something is so, and says how many it has given. */
  private int runUntil(BooleanSupplier isSo, Flow flow, List<byte[]> messages, int from) {
    int given = from;
    while (!isSo.getAsBoolean()) {
      given = give(flow, messages, given);
      network.step(client, server);
    }
    return given;
  }

  /** As the other, for so many steps. */
  private int runFor(int steps, Flow flow, List<byte[]> messages, int from) {
    long endNs = network.nowNs + steps * ComputedNetwork.STEP_NS;
    return runUntil(() -> network.nowNs >= endNs, flow, messages, from);
  }

  /** What is still on its way comes, and what is waited for is over. */
  private void settle(End... ends) {
    for (int i = 0; i < 4_000; i++) {
      network.step(ends);
    }
  }

  private static void add(Flow flow, byte[] message) {
    flow.send.add(ComputedNetwork.segment(message), 0, message.length);
  }

  private int give(Flow flow, List<byte[]> messages, int from) {
    int given = from;
    while (given < messages.size() && flow.send.hasRoom(messages.get(given).length)) {
      add(flow, messages.get(given++));
      if (given == messages.size()) {
        client.endpoint.finish(flow);
      }
    }
    return given;
  }

  @Test
  void shouldBringAllMessagesInOrder() {
    List<byte[]> messages = messages(2_000, 3_000);
    Flow flow = connect();
    run(flow, messages, 60_000 * MS_NS);
    assertThat(client.events).containsExactly("begun", "ended");
    assertThat(server.messages).containsExactlyElementsOf(messages);
    for (int i = 0; i < 2_000; i++) {
      network.step(client, server);
    }
    assertThat(server.events).containsExactly("begun", "ended");
    assertThat(server.endpoint.own()).isEmpty();
    assertThat(client.counts.flows.lost).isZero();
  }

  @Test
  void shouldBringAllThoughTheNetworkLosesRepeatsReordersAndDamages() {
    network.faults = new Faults(0.01, 0.01, 0.01, 0.001, 65_507, 2 * MS_NS);
    List<byte[]> messages = messages(10_000, 3_000);
    Flow flow = connect();
    run(flow, messages, 600_000 * MS_NS);
    assertThat(server.messages).containsExactlyElementsOf(messages);
    assertThat(client.counts.flows.lost).isPositive();
    assertThat(server.counts.flows.repeated).isPositive();
    assertThat(server.counts.flows.notAuthentic).isPositive();
  }

  @Test
  void shouldBringAllThoughATenthIsLostAndDamagedWithoutAKey() {
    client = client(SETTINGS.withKey(LinkKey.none()));
    server = server(SETTINGS.withKey(LinkKey.none()));
    network.faults = new Faults(0.1, 0.1, 0.1, 0.1, 65_507, MS_NS);
    List<byte[]> messages = messages(1_000, 3_000);
    Flow flow = connect();
    run(flow, messages, 600_000 * MS_NS);
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldFindHowLongDatagramsMayBe() {
    client = client(SETTINGS.withMtu(9_000));
    server = server(SETTINGS.withMtu(9_000));
    network.faults = new Faults(0, 0, 0, 0, 4_000, MS_NS);
    Flow flow = connect();
    run(flow, messages(1_000, 3_000), 60_000 * MS_NS);
    assertThat(server.messages).hasSize(1_000);
    network.faults = Faults.NONE;
    Flow jumbo = connect();
    client.events.clear();
    List<byte[]> messages = messages(1_000, 3_000);
    int given = 0;
    int longest = 0;
    while (!client.events.contains("ended")) {
      given = give(jumbo, messages, given);
      network.step(client, server);
      Session session = jumbo.session();
      longest = session == null ? longest : session.datagramBytes();
    }
    assertThat(longest).isEqualTo(9_000 - 28);
  }

  /** What is short still comes, so that acknowledgments do. */
  @Test
  void shouldFindThatDatagramsHaveToBeShorter() {
    client = client(SETTINGS.withMtu(9_000));
    server = server(SETTINGS.withMtu(9_000));
    Flow flow = connect();
    List<byte[]> messages = messages(3_000, 3_000);
    int given = runUntil(() -> server.messages.size() >= 1_000, flow, messages, 0);
    network.faults = new Faults(0, 0, 0, 0, 1_300, MS_NS);
    run(flow, messages, given, 20_000 * MS_NS);
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldHoldTheSenderBackWhileNobodyTakesMessages() {
    server.mayDeliver = false;
    Flow flow = connect();
    List<byte[]> messages = messages(1_000, 2_000);
    int given = runFor(40_000, flow, messages, 0);
    assertThat(given).isLessThan(messages.size());
    assertThat(flow.send.written()).isLessThanOrEqualTo(2L << 18);
    assertThat(server.messages).isEmpty();
    server.mayDeliver = true;
    run(flow, messages, given, 60_000 * MS_NS);
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldNameAPeerThatIsSilentAndGoOnWhenItIsBack() {
    List<byte[]> messages = messages(1_000, 3_000);
    Flow flow = connect();
    int given = runFor(200, flow, messages, 0);
    network.isCut = true;
    given = runFor(400_000, flow, messages, given);
    assertThat(client.events).containsExactly("begun", "silent");
    network.isCut = false;
    run(flow, messages, given, 60_000 * MS_NS);
    assertThat(client.events).containsExactly("begun", "silent", "heard", "ended");
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldForgetAPeerThatStaysAway() {
    LinkSettings settings = SETTINGS.withTimes(Duration.ofSeconds(1), Duration.ofSeconds(3));
    client = client(settings);
    server = server(settings);
    Flow flow = connect();
    List<byte[]> messages = messages(1_000, 3_000);
    int _ = runFor(200, flow, messages, 0);
    network.isCut = true;
    for (int i = 0; i < 100_000; i++) {
      network.step(client, server);
    }
    assertThat(client.events)
        .containsExactly("begun", "silent", "lost: it has not answered for 3 s");
    assertThat(server.events)
        .containsExactly("begun", "silent", "lost: it has not answered for 3 s");
    assertThat(client.endpoint.own()).isEmpty();
    assertThat(server.endpoint.own()).isEmpty();
  }

  @Test
  void shouldSayThatThePeerHasNoRoomForAnotherStream() {
    LinkSettings settings = SETTINGS.withTimes(Duration.ofSeconds(1), Duration.ofSeconds(3));
    client = client(settings);
    server = server(settings.withMostFlows(1));
    List<byte[]> messages = messages(3, 3_000);
    Flow first = connect();
    add(first, messages.get(0));
    for (int i = 0; i < 200; i++) {
      network.step(client, server);
    }
    Flow second = client.endpoint.connect(ComputedNetwork.CLIENT_PATH, network.nowNs).orElseThrow();
    add(second, messages.get(1));
    for (int i = 0; i < 30_000; i++) {
      network.step(client, server);
    }
    assertThat(client.events).containsExactly("begun", "lost: it has no room for another stream");
    assertThat(server.counts.flowsRefused).isPositive();
    add(first, messages.get(2));
    client.endpoint.finish(first);
    for (int i = 0; i < 30_000; i++) {
      network.step(client, server);
    }
    assertThat(server.messages).containsExactly(messages.get(0), messages.get(2));
  }

  @Test
  void shouldKnowKeysByTheirBytes() {
    LinkKey same =
        LinkKey.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    assertThat(same).isEqualTo(KEY).hasSameHashCodeAs(KEY).hasToString("LinkKey[secret]");
    assertThat(LinkKey.of(new byte[32])).isNotEqualTo(KEY).isNotEqualTo(LinkKey.none());
  }

  /**
   * The new one knows nothing of the stream: it gets whole messages from the first one it lacks.
   */
  @Test
  void shouldGoOnWithAPeerThatHasBegunAnew() {
    List<byte[]> messages = messages(3_000, 3_000);
    Flow flow = connect();
    int given = runUntil(() -> server.messages.size() >= 500, flow, messages, 0);
    List<byte[]> first = List.copyOf(server.messages);
    server = server(SETTINGS);
    server.other = client;
    client.other = server;
    run(flow, messages.subList(given, messages.size()), 60_000 * MS_NS);
    List<byte[]> second = server.messages;
    int overlap = first.size() + second.size() - messages.size();
    assertThat(overlap).isNotNegative();
    assertThat(first).containsExactlyElementsOf(messages.subList(0, first.size()));
    assertThat(second)
        .containsExactlyElementsOf(messages.subList(first.size() - overlap, messages.size()));
  }

  /** Whatever of it was told to the other side: nobody gets a message twice. */
  @Test
  void shouldGiveNoMessageTwiceToWhoHasForgottenThePeer() {
    LinkSettings impatient = SETTINGS.withTimes(Duration.ofMillis(200), Duration.ofMillis(500));
    server = server(impatient);
    List<byte[]> messages = messages(1_000, 3_000);
    Flow flow = connect();
    int given = runUntil(() -> server.messages.size() >= 300, flow, messages, 0);
    int known = server.messages.size();
    client.isDeaf = true;
    given = runUntil(() -> server.messages.size() >= known + 5, flow, messages, given);
    network.isCut = true;
    while (!server.endpoint.own().isEmpty()) {
      network.step(client, server);
    }
    network.isCut = false;
    client.isDeaf = false;
    run(flow, messages, given, 60_000 * MS_NS);
    settle(client, server);
    assertThat(server.messages).containsExactlyElementsOf(messages);
    assertThat(server.events).contains("lost: it has not answered for 0 s", "ended");
  }

  /** The last acknowledgment was lost, and who has sent it knows nothing of the stream any more. */
  @Test
  void shouldGiveNoMessageTwiceWhenItHasEnded() {
    List<byte[]> messages = messages(100, 3_000);
    Flow flow = connect();
    messages.subList(0, 50).forEach(message -> add(flow, message));
    while (server.messages.size() < 50) {
      network.step(client, server);
    }
    client.isDeaf = true;
    int given = give(flow, messages, 50);
    while (!server.events.contains("ended")) {
      network.step(client, server);
    }
    client.isDeaf = false;
    run(flow, messages, given, 60_000 * MS_NS);
    settle(client, server);
    assertThat(client.events).startsWith("begun").endsWith("ended");
    assertThat(server.events).containsExactly("begun", "ended");
    assertThat(server.messages).containsExactlyElementsOf(messages);
    assertThat(server.endpoint.own()).isEmpty();
  }

  /** Who sends has ended, and nobody took what has come yet. */
  @Test
  void shouldGiveAllThatHasComeOfAPeerThatIsGone() {
    server.mayDeliver = false;
    List<byte[]> messages = messages(50, 3_000);
    Flow flow = connect();
    int given = give(flow, messages, 0);
    while (!flow.send.isAllAcked()) {
      network.step(client, server);
    }
    client.endpoint.closeAll(network.nowNs);
    settle(server);
    assertThat(server.messages).isEmpty();
    assertThat(server.events).containsExactly("begun");
    server.mayDeliver = true;
    settle(server);
    assertThat(given).isEqualTo(50);
    assertThat(server.messages).containsExactlyElementsOf(messages);
    assertThat(server.events).containsExactly("begun", "ended");
    assertThat(server.endpoint.own()).isEmpty();
  }

  /** Without a key anybody can write it. */
  @Test
  void shouldNotBelieveThatNothingIsKnownOfAPeerThatIsHeard() {
    Flow flow = connect();
    List<byte[]> messages = messages(2_000, 3_000);
    int _ = runUntil(() -> server.messages.size() >= 300, flow, messages, 0);
    Session session = flow.session();
    assertThat(session).isNotNull();
    Datagram reset = new Datagram();
    Handshake.writeRefusal(reset, Wire.RESET, session.remoteId(), KEY);
    client.take(ComputedNetwork.CLIENT_PATH, reset.get(0, reset.length()));
    assertThat(flow.next).isNull();
    network.isCut = true;
    settle(client);
    settle(client);
    client.take(ComputedNetwork.CLIENT_PATH, reset.get(0, reset.length()));
    assertThat(flow.next).isNotNull();
  }

  @Test
  void shouldBringAnswers() {
    server = network.new End(new Flows(SETTINGS), 0, Role.ANSWERING_SERVER);
    server.isEcho = true;
    network.faults = new Faults(0.01, 0.01, 0.01, 0.001, 65_507, MS_NS);
    List<byte[]> messages = messages(2_000, 300);
    Flow flow = connect();
    int given = 0;
    while (client.messages.size() < messages.size()) {
      if (given - client.messages.size() < 50 && given < messages.size()) {
        add(flow, messages.get(given++));
      }
      network.step(client, server);
    }
    assertThat(client.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldRefuseAnAnswerThatIsTooLong() {
    server = network.new End(new Flows(SETTINGS), 0, Role.ANSWERING_SERVER);
    Flow flow = connect();
    byte[] message = new byte[40_000];
    flow.send.add(ComputedNetwork.segment(message), 0, message.length);
    settle(client, server);
    Flow asked = server.endpoint.own().getFirst();
    assertThatThrownBy(() ->
            server.endpoint.answer(asked, ComputedNetwork.segment(message), 0, message.length))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("answer is too long: bytes=40000; write 32764 at most");
  }

  /** Somebody sends to another worker what looks like datagrams of the session. */
  @Test
  void shouldStayWhereItIsHeard() {
    Flows flows = new Flows(SETTINGS);
    server = network.new End(flows, 0, Role.SERVER);
    End second = network.new End(flows, 1, Role.SERVER);
    Flow flow = connect();
    second.other = client;
    network.isRecording = true;
    List<byte[]> messages = messages(2_000, 3_000);
    int given = 0;
    while (!client.events.contains("ended")) {
      given = give(flow, messages, given);
      network.step(client, server, second);
      if (!server.messages.isEmpty() && !network.seen.isEmpty()) {
        second.take(SERVER_PATH, network.seen.getLast());
      }
      network.seen.clear();
    }
    settle(client, server, second);
    assertThat(second.counts.elsewhere).isPositive();
    assertThat(second.counts.moved).isZero();
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  /** Messages that the one before had got, or that were on their way, are not sent again. */
  @Test
  void shouldGoOnWithAPeerThatHasBegunAnewWithoutSendingAgain() {
    client = client(SETTINGS.bestEffort());
    List<byte[]> messages = messages(3_000, 3_000);
    Flow flow = connect();
    int given = runUntil(() -> server.messages.size() >= 500, flow, messages, 0);
    server = server(SETTINGS);
    server.other = client;
    client.other = server;
    run(flow, messages, given, 60_000 * MS_NS);
    assertThat(client.events).endsWith("ended");
    assertThat(server.messages).isNotEmpty();
    assertThat(server.messages.size() + server.counts.flows.missing)
        .isLessThanOrEqualTo(messages.size() - 500);
  }

  @Test
  void shouldCountWhatIsLostOfAStreamThatDoesNotSendAgain() {
    client = client(SETTINGS.bestEffort());
    network.faults = new Faults(0.02, 0.01, 0.01, 0.001, 65_507, MS_NS);
    List<byte[]> messages = messages(5_000, 3_000);
    Flow flow = connect();
    run(flow, messages, 60_000 * MS_NS);
    assertThat(server.counts.flows.missing).isPositive();
    assertThat(server.messages.size() + server.counts.flows.missing + server.counts.flows.noRoom)
        .isEqualTo(messages.size());
    int at = 0;
    for (byte[] message : server.messages) {
      while (!Arrays.equals(messages.get(at), message)) {
        at++;
      }
    }
  }

  @Test
  void shouldNotTalkToWhoHasAnotherKey() {
    server =
        server(
            SETTINGS.withKey(
                LinkKey.of(
                    "0123456789abcdef0123456789abcdeX".getBytes(StandardCharsets.US_ASCII))));
    Flow flow = connect();
    run(flow, messages(10, 100), 20_000 * MS_NS);
    assertThat(client.events).containsExactly("lost: it has not answered for 10 s");
    assertThat(server.events).isEmpty();
    assertThat(server.counts.badHandshakes).isPositive();
    assertThat(server.endpoint.own()).isEmpty();
  }

  @Test
  void shouldEncryptByEitherAlgorithm() {
    for (AeadAlgorithm algorithm : AeadAlgorithm.values()) {
      client = client(SETTINGS.withAlgorithm(algorithm));
      server = server(SETTINGS);
      network.isRecording = true;
      network.seen.clear();
      byte[] secret = "this is not to be read by others".getBytes(StandardCharsets.US_ASCII);
      Flow flow = connect();
      run(flow, List.of(secret), 10_000 * MS_NS);
      assertThat(server.messages).containsExactly(secret);
      assertThat(network.seen).isNotEmpty();
      assertThat(network.seen)
          .noneMatch(
              bytes -> new String(bytes, StandardCharsets.ISO_8859_1).contains("not to be read"));
    }
  }

  /** Nobody's datagrams are believed twice, whenever they are sent again, and by whomever. */
  @Test
  void shouldTakeNoDatagramTwice() {
    network.isRecording = true;
    List<byte[]> messages = messages(300, 3_000);
    Flow flow = connect();
    run(flow, messages, 60_000 * MS_NS);
    int delivered = server.messages.size();
    List<byte[]> all = List.copyOf(network.seen);
    network.isRecording = false;
    for (int i = 0; i < 5_000; i++) {
      server.take(SERVER_PATH, all.get(random.nextInt(all.size())));
      network.step(client, server);
    }
    assertThat(server.messages).hasSize(delivered);
    assertThat(server.events).noneMatch(event -> event.startsWith("lost"));
  }

  /** Its datagrams come to another worker from some time on, and to the first one again. */
  @Test
  void shouldFollowItsDatagramsToAnotherWorker() {
    Flows flows = new Flows(SETTINGS);
    End first = network.new End(flows, 0, Role.SERVER);
    End second = network.new End(flows, 1, Role.SERVER);
    second.other = client;
    server = first;
    List<byte[]> messages = messages(6_000, 3_000);
    Flow flow = connect();
    second.messages = first.messages;
    int given = 0;
    for (int i = 0; i < 1_000_000 && !client.events.contains("ended"); i++) {
      given = give(flow, messages, given);
      if (i % 300 == 299) {
        client.other = client.other == first ? second : first;
      }
      network.step(client, first, second);
    }
    settle(client, first, second);
    assertThat(first.messages).hasSameSizeAs(messages).containsExactlyElementsOf(messages);
    assertThat(first.counts.moved).isPositive();
    assertThat(second.counts.moved).isPositive();
    assertThat(second.counts.elsewhere).isPositive();
  }

  /** And so do answers to who sends. */
  @Test
  void shouldFollowAnswersToAnotherWorker() {
    Flows flows = new Flows(SETTINGS);
    End second = network.new End(flows, 1, Role.CLIENT);
    client = network.new End(flows, 0, Role.CLIENT);
    List<byte[]> messages = messages(3_000, 3_000);
    Flow flow = connect();
    second.other = server;
    int given = 0;
    for (int i = 0;
        i < 1_000_000 && !client.events.contains("ended") && !second.events.contains("ended");
        i++) {
      if (flow.owner != Flow.PARKED) {
        given = give(flow, messages, given);
      }
      if (i % 300 == 299) {
        server.other = server.other == client ? second : client;
      }
      network.step(client, second, server);
    }
    assertThat(server.messages).containsExactlyElementsOf(messages);
    assertThat(second.counts.moved).isPositive();
  }

  /** A port by which answers come to another worker is not the one that it keeps. */
  @Test
  void shouldTakeAPortByWhichAnswersComeToItsWorker() {
    Flows flows = new Flows(SETTINGS);
    End second = network.new End(flows, 1, Role.CLIENT);
    client = network.new End(flows, 0, Role.CLIENT);
    network.isToSecond = path -> path.remotePort() == 4_242 && path.localPort() % 4 != 0;
    network.second = second;
    Flow flow = connect();
    second.other = server;
    List<byte[]> messages = messages(300, 3_000);
    int given = 0;
    for (int i = 0; i < 100_000 && !client.events.contains("ended"); i++) {
      given = give(flow, messages, given);
      network.step(client, second, server);
    }
    assertThat(client.events).containsExactly("begun", "ended");
    assertThat(second.counts.moved).isZero();
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  @Test
  void shouldTakeOverTheFlowsOfAWorkerThatEnds() {
    Flows flows = new Flows(SETTINGS);
    End second = network.new End(flows, 1, Role.CLIENT);
    client = network.new End(flows, 0, Role.CLIENT);
    List<byte[]> messages = messages(300, 3_000);
    Flow flow = connect();
    second.other = server;
    int given = give(flow, messages, 0);
    for (int i = 0; i < 100; i++) {
      network.step(client, second, server);
    }
    client.endpoint.parkAll();
    server.other = second;
    for (int i = 0; i < 100_000 && !second.events.contains("ended"); i++) {
      if (flow.owner == 1) {
        given = give(flow, messages, given);
      }
      network.step(second, server);
    }
    assertThat(server.messages).containsExactlyElementsOf(messages);
  }

  /** Without what both add to it afresh, the key would give the same stream of key bytes again. */
  @Test
  void shouldNeverEncryptTwiceWithTheSameKeyAndNonce() {
    List<List<byte[]>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      client = client(SETTINGS);
      server = server(SETTINGS);
      network.isRecording = true;
      network.seen.clear();
      Flow flow = connect();
      run(flow, List.of(new byte[1_000]), 10_000 * MS_NS);
      runs.add(
          network.seen.stream().filter(bytes -> bytes.length > 1_000).map(byte[]::clone).toList());
    }
    byte[] one = runs.get(0).getFirst();
    byte[] other = runs.get(1).getFirst();
    assertThat(one[Wire.NUMBER_AT + 7]).as("number").isEqualTo(other[Wire.NUMBER_AT + 7]);
    int same = 0;
    for (int i = 100; i < 900; i++) {
      same += one[i] == other[i] ? 1 : 0;
    }
    assertThat(same).isLessThan(40);
  }

  /** Two streams on one link have the same share of it, and fill it together. */
  @Test
  void shouldShareALink() {
    List<Double> shares = shares(SETTINGS.withBuffer(1 << 21), 100e6);
    assertThat(shares).allMatch(share -> share > 0.38);
    double ratio = shares.getFirst() / shares.getLast();
    assertThat(Math.max(ratio, 1 / ratio)).as("shares=%s", shares).isLessThan(1.2);
    assertThat(shares.getFirst() + shares.getLast()).as("all of the link").isLessThan(1);
  }

  @Test
  void shouldKeepToAStatedRate() {
    assertThat(shares(SETTINGS.withRate(30_000_000), 100e6))
        .allMatch(share -> share > 0.27 && share < 0.31);
  }

  /** What each of two streams gets of a link from its fifth second on. */
  private List<Double> shares(LinkSettings settings, double bitsPerS) {
    network.bitsPerS = bitsPerS;
    network.queueNs = 15 * MS_NS;
    network.faults = new Faults(0, 0, 0, 0, 65_507, 10 * MS_NS);
    List<End> clients = new ArrayList<>();
    List<End> servers = new ArrayList<>();
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      client = client(settings);
      server = server(settings);
      server.isBehindBottleneck = true;
      server.isKeeping = false;
      flows.add(connect());
      clients.add(client);
      servers.add(server);
    }
    byte[] message = new byte[1_000];
    long[] before = new long[2];
    for (int i = 0; i < 400_000; i++) {
      for (Flow flow : flows) {
        while (flow.send.hasRoom(message.length)) {
          flow.send.add(ComputedNetwork.segment(message), 0, message.length);
        }
      }
      network.step(clients.get(0), clients.get(1), servers.get(0), servers.get(1));
      if (i == 100_000) {
        before[0] = servers.get(0).delivered;
        before[1] = servers.get(1).delivered;
      }
    }
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      shares.add((servers.get(i).delivered - before[i]) * 8_000.0 / 15 / bitsPerS);
    }
    return shares;
  }
}
