package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.stream.net.ComputedNetwork.End;
import io.linerate.stream.net.Endpoint.Role;
import io.linerate.testkit.Soak;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who sends what nobody asked for, while others talk: it costs counters. */
@Tag("sampled")
class HostilePeerTest {
  private static final int MESSAGES = Soak.times(100_000, 1_000_000);
  private static final byte[] SECRET =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final LinkSettings SETTINGS =
      LinkSettings.DEFAULT.withBuffer(1 << 16).withMostFlows(16);

  private final ComputedNetwork network = new ComputedNetwork();
  private final Random random = new Random(5);
  private final List<byte[]> seen = new ArrayList<>();

  private UdpPath path(int peer) {
    return new UdpPath(false, 0, 0x0A000002L, 4_242, 0, 0x0A000100L + peer, 1_024 + peer % 60_000);
  }

  private static final UdpPath FROM_CLIENT =
      new UdpPath(false, 0, 0x0A000002L, 4_242, 0, 0x0A000001L, 50_000);

  /** One of all kinds of bad ones. */
  private byte[] bad(LinkKey otherKey) {
    byte[] known = seen.isEmpty() ? new byte[100] : seen.get(random.nextInt(seen.size()));
    return switch (random.nextInt(8)) {
      case 0 -> {
        byte[] bytes = new byte[random.nextInt(2_000)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case 1 -> known;
      case 2 -> Arrays.copyOf(known, random.nextInt(known.length + 1));
      case 3 -> Arrays.copyOf(known, known.length + random.nextInt(60_000));
      case 4 -> {
        byte[] bytes = known.clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        yield bytes;
      }
      case 5 -> {
        byte[] bytes = known.clone();
        for (int i = 12; i < bytes.length; i++) {
          bytes[i] = (byte) random.nextInt();
        }
        yield bytes;
      }
      case 6 -> {
        byte[] bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        bytes[0] = (byte) Wire.first(random.nextInt(6));
        yield bytes;
      }
      default -> init(otherKey);
    };
  }

  private byte[] init(LinkKey key) {
    Datagram datagram = new Datagram();
    Handshake.write(
        datagram,
        new Handshake.Init(
            random.nextBoolean(),
            key.isSecret() ? Optional.of(SETTINGS.algorithm()) : Optional.empty(),
            random.nextLong(),
            new Bits256(random.nextLong(), 1, 2, 3),
            new StreamId(random.nextLong(), random.nextLong()),
            random.nextLong() >>> 1,
            random.nextLong() >>> 1,
            random.nextBoolean() ? Bits256.ZERO : new Bits256(network.nowNs, 1, 2, 3)),
        key);
    return datagram.get(0, datagram.length());
  }

  private void attack(LinkSettings settings, LinkKey otherKey, boolean isFromPeer) {
    Flows serverFlows = new Flows(settings);
    End client = network.new End(new Flows(settings), 0, Role.CLIENT);
    End server = network.new End(serverFlows, 0, Role.SERVER);
    client.other = server;
    server.other = client;
    network.isRecording = true;
    Flow flow = client.endpoint.connect(ComputedNetwork.CLIENT_PATH, network.nowNs).orElseThrow();
    List<byte[]> given = new ArrayList<>();
    int steps = MESSAGES / 100;
    for (int step = 0; step < steps; step++) {
      byte[] message = new byte[random.nextInt(1_000)];
      random.nextBytes(message);
      if (step % 10 == 0 && flow.send.hasRoom(message.length)) {
        flow.send.add(ComputedNetwork.segment(message), 0, message.length);
        given.add(message);
      }
      network.step(client, server);
      for (byte[] one : network.seen) {
        if (seen.size() < 5_000) {
          seen.add(one);
        } else {
          seen.set(random.nextInt(seen.size()), one);
        }
      }
      network.seen.clear();
      for (int i = 0; i < 100; i++) {
        End to = random.nextInt(4) == 0 ? client : server;
        byte[] bad = bad(otherKey);
        byte[] cut =
            bad.length > Datagram.MOST_BYTES ? Arrays.copyOf(bad, Datagram.MOST_BYTES) : bad;
        to.take(isFromPeer && to == server ? FROM_CLIENT : path(random.nextInt(1 << 20)), cut);
      }
    }
    client.endpoint.finish(flow);
    for (int i = 0; i < 200_000 && !client.events.contains("ended"); i++) {
      network.step(client, server);
    }
    assertThat(server.messages).containsExactlyElementsOf(given);
    assertThat(client.events).containsExactly("begun", "ended");
    assertThat(serverFlows.all().size()).isLessThanOrEqualTo(settings.mostFlows());
    assertThat(server.counts.malformed).isPositive();
    assertThat(server.counts.badHandshakes).isPositive();
    assertThat(server.counts.flows.repeated).isPositive();
  }

  @Test
  void shouldOnlyBeCountedByWhoHasAKey() {
    byte[] other = SECRET.clone();
    other[0]++;
    attack(SETTINGS.withKey(LinkKey.of(SECRET)), LinkKey.of(other), true);
  }

  /** Without a key, who cannot read what is sent cannot write either. */
  @Test
  void shouldOnlyBeCountedByWhoHasNone() {
    attack(SETTINGS, LinkKey.none(), false);
  }

  /** A peer that has the key, and sends what no sound peer sends, ends its own session alone. */
  @ParameterizedTest
  @ValueSource(
      ints = {Wire.PING, Wire.ACK, Wire.CREDIT, Wire.PIECE, Wire.PART, Wire.END, Wire.CLOSE, 99})
  void shouldEndTheSessionOfAPeerThatSendsWhatCannotBe(int kind) {
    LinkKey key = LinkKey.of(SECRET);
    int turns = Soak.times(400, 20_000);
    Rings rings = new Rings();
    int ended = 0;
    for (int turn = 0; turn < turns; turn++) {
      SendBuffer send = new SendBuffer(rings, 1 << 16);
      ReceiveBuffer receive = new ReceiveBuffer(rings, 1 << 16);
      FlowCounts counts = new FlowCounts();
      DatagramSeal seal = new ChecksumSeal();
      Session session =
          new Session(
              SETTINGS.withKey(key),
              turn % 2 == 0,
              1,
              new ChecksumSeal(),
              new ChecksumSeal(),
              send,
              receive,
              new Parts(rings, receive, counts),
              counts,
              1_400,
              network.nowNs);
      Datagram datagram = new Datagram();
      for (int number = 0; number < 20 && !session.isClosed(); number++) {
        int bytes = random.nextInt(200);
        datagram.u8(Wire.HEADER_BYTES, kind);
        for (int i = 1; i < bytes; i++) {
          datagram.u8(Wire.HEADER_BYTES + i, random.nextInt(4) == 0 ? random.nextInt(256) : 0);
        }
        datagram.u64(Wire.NUMBER_AT, number);
        datagram.length(Wire.HEADER_BYTES + Math.max(1, bytes));
        seal.seal(number, datagram);
        boolean isTaken = session.receive(datagram, network.nowNs);
        long refused = counts.refused;
        Datagram answer = new Datagram();
        int _ = session.send(answer, UdpPath.NONE, (_, _) -> true, 10, network.nowNs);
        assertThat(isTaken || refused > 0 || session.isClosed()).as("taken, or the end").isTrue();
      }
      ended += session.isClosed() ? 1 : 0;
      assertThat(receive.whole()).isLessThanOrEqualTo(1 << 16);
      assertThat(send.sent()).isZero();
      send.free();
      receive.free();
    }
    assertThat(ended).isPositive();
  }
}
