package io.linerate.track.flow;

import static io.linerate.track.Segments.CLIENT;
import static io.linerate.track.Segments.CLIENT_PORT;
import static io.linerate.track.Segments.L4;
import static io.linerate.track.Segments.SERVER;
import static io.linerate.track.Segments.SERVER_PORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import io.linerate.track.Segments;
import io.linerate.wire.Tcp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlowMeterTest {
  private static final long SECOND = 1_000_000_000;
  private static final long START = 1_700_000_000 * SECOND;
  private static final int SYN_ACK = Tcp.SYN | Tcp.ACK;

  private final SplittableRandom random = new SplittableRandom(Soak.seed(48));
  private final Segments segments = new Segments();
  private final Told told = new Told();
  private FlowMeter meter = meter(FlowSettings.DEFAULT);
  private long now = START;

  @AfterEach
  void close() {
    segments.close();
  }

  private FlowMeter meter(FlowSettings settings) {
    return new FlowMeter(settings, random, told);
  }

  private void meter(Packet packet) {
    Mbuf.timestampNs(segments.owned().handle(packet.index()), now);
    meter.accept(packet);
  }

  private void tcp(boolean isFromClient, int flags, int bytes) {
    meter(segments.tcp(isFromClient, flags, 1, 1, 100, bytes, -1));
  }

  private void after(double seconds) {
    now += (long) (seconds * SECOND);
  }

  @Test
  void shouldTellOfAConnectionOnceItIsClosed() {
    tcp(true, Tcp.SYN, 0);
    after(0.1);
    tcp(false, SYN_ACK, 0);
    tcp(true, Tcp.ACK, 100);
    after(0.1);
    tcp(true, Tcp.FIN | Tcp.ACK, 0);
    tcp(false, Tcp.FIN | Tcp.ACK, 50);
    assertThat(told.flows()).isEmpty();
    tcp(true, Tcp.ACK, 0);
    after(1.9);
    tcp(true, Tcp.ACK, 0);
    after(1); // Times are looked at once in a second.
    meter(segments.udp(true, 1));
    Told.Flow flow = told.only();
    assertThat(flow.end()).isEqualTo(FlowEnd.END);
    assertThat(flow.sourceLow()).isEqualTo(CLIENT);
    assertThat(flow.sourcePort()).isEqualTo(CLIENT_PORT);
    assertThat(flow.destinationPort()).isEqualTo(SERVER_PORT);
    assertThat(flow.packets()).containsExactly(5L, 2L);
    assertThat(flow.octets()).containsExactly(5 * 40L + 100, 2 * 40L + 50);
    assertThat(flow.frameOctets()).containsExactly(5 * 54L + 100, 2 * 54L + 50);
    assertThat(flow.tcpFlags())
        .containsExactly(Tcp.SYN | Tcp.ACK | Tcp.FIN, Tcp.SYN | Tcp.ACK | Tcp.FIN);
    assertThat(flow.startNs()).isEqualTo(START);
    assertThat(flow.endNs()).isEqualTo(START + (long) (2.1 * SECOND));
    assertThat(flow.isSourceInitiator()).isTrue();
  }

  @Test
  void shouldEndAFlowThatIsIdle() {
    meter(segments.udp(true, 10));
    after(14.9);
    meter(segments.udp(false, 20));
    after(15);
    meter(segments.udp(true, 10));
    assertThat(told.only().end()).isEqualTo(FlowEnd.IDLE);
    assertThat(told.only().packets()).containsExactly(1L, 1L);
    assertThat(told.only().endNs()).isEqualTo(START + (long) (14.9 * SECOND));
    meter.advance(now + 16 * SECOND);
    assertThat(told.flows()).hasSize(2);
    assertThat(meter.open()).isZero();
  }

  @Test
  void shouldEndAFlowThatIsIdleWhateverTimeTheFirstPacketHas() {
    now = Long.MIN_VALUE;
    tcp(true, Tcp.SYN, 0);
    now = START;
    meter(segments.udp(true, 10));
    after(15);
    meter(segments.udp(true, 10));
    assertThat(told.flows()).extracting(Told.Flow::end).containsOnly(FlowEnd.IDLE).hasSize(2);
  }

  @Test
  void shouldSayWhatEachPacketIsToItsFlow() {
    FlowPacket first = add(segments.udp(true, 10));
    assertThat(first.isFirst()).isTrue();
    assertThat(first.direction()).isZero();
    assertThat(first.ipOctets()).isEqualTo(38);
    assertThat(first.flow().sourceLow()).isEqualTo(CLIENT);
    assertThat(first.scanner().l4Offset()).isEqualTo(L4);
    FlowPacket answer = add(segments.udp(false, 20));
    assertThat(answer.isFirst()).isFalse();
    assertThat(answer.direction()).isEqualTo(1);
    assertThat(answer.ipOctets()).isEqualTo(48);
    assertThat(answer.flow().sourceLow()).isEqualTo(CLIENT);
    assertThat(answer.flow().packets(1)).isEqualTo(1);
    FlowPacket synAck = add(segments.tcp(false, SYN_ACK, 1, 1, 100, 0, -1));
    assertThat(synAck.isFirst()).isTrue();
    assertThat(synAck.direction()).isEqualTo(1);
    assertThat(synAck.tcpFlags()).isEqualTo(SYN_ACK);
    for (int i = 0; i < 8; i++) {
      after(9);
      assertThat(add(segments.udp(false, 20)).isFirst()).as("after %d s", 9 * i).isFalse();
    }
    after(15);
    FlowPacket again = add(segments.udp(false, 20));
    assertThat(again.isFirst()).isTrue();
    assertThat(again.direction()).isZero();
  }

  private FlowPacket add(Packet packet) {
    Mbuf.timestampNs(segments.owned().handle(packet.index()), now);
    return Objects.requireNonNull(meter.add(packet));
  }

  @Test
  void shouldGoOnAfterTheActiveTimeout() {
    meter(segments.udp(true, 10));
    for (int i = 0; i < 12; i++) {
      after(10);
      meter(segments.udp((i & 1) == 0, 10));
    }
    meter.end();
    assertThat(told.flows())
        .extracting(Told.Flow::end)
        .containsExactly(FlowEnd.ACTIVE, FlowEnd.ACTIVE, FlowEnd.FORCED);
    assertThat(told.flows()).extracting(Told.Flow::sourceLow).containsOnly((long) CLIENT);
    assertThat(told.flows())
        .extracting(Told.Flow::packets)
        .containsExactly(List.of(4L, 2L), List.of(3L, 3L), List.of(0L, 1L));
    assertThat(told.flows().get(1).startNs()).isEqualTo(START + 60 * SECOND);
    assertThat(told.json().get(2))
        .contains("\"packetDeltaCount\":0,", "\"reversePacketDeltaCount\":1,")
        .doesNotContain("\"flowStartNanoseconds\"");
  }

  @Test
  void shouldBeginAnewWhereAPortIsUsedAgain() {
    tcp(true, Tcp.SYN, 0);
    tcp(false, Tcp.RST | Tcp.ACK, 0);
    tcp(true, Tcp.SYN, 0);
    assertThat(told.only().end()).isEqualTo(FlowEnd.END);
    assertThat(told.only().packets()).containsExactly(1L, 1L);
    assertThat(meter.open()).isEqualTo(1);
  }

  @Test
  void shouldKnowWhoHasBegun() {
    tcp(false, SYN_ACK, 0);
    meter(segments.icmp(false, 0, 7));
    meter.end();
    assertThat(told.flows()).extracting(Told.Flow::sourceLow).containsOnly((long) CLIENT);
    assertThat(told.flows()).extracting(Told.Flow::packets).containsOnly(List.of(0L, 1L));
    tcp(false, Tcp.ACK, 9);
    meter.end();
    assertThat(told.flows().get(2).isSourceInitiator()).isFalse();
    assertThat(told.flows().get(2).sourceLow()).isEqualTo(SERVER);
  }

  @Test
  void shouldCountWhatATrackerCallsInvalid() {
    meter(segments.fragment(true));
    meter(segments.fragment(false));
    meter(segments.error(false, 3, segments.udp(true, 5)));
    meter(segments.other(47, true));
    tcp(true, 0, 3);
    tcp(true, Tcp.SYN | Tcp.FIN | Tcp.RST, 3);
    meter.end();
    assertThat(meter.packets()).isEqualTo(6);
    assertThat(told.flows())
        .extracting(Told.Flow::packets)
        .containsExactlyInAnyOrder(
            List.of(2L, 0L), List.of(1L, 0L), List.of(1L, 0L), List.of(2L, 0L));
    assertThat(told.flows()).extracting(f -> f.icmp().get(0)).contains(0x0300);
  }

  @Test
  void shouldCountWhatIsOfNoFlow() {
    Packet arp = segments.other(17, true);
    arp.u16(12, 0x0806);
    meter(arp);
    Packet cut = segments.other(17, true);
    cut.u8(14, 0x4F); // Sixty bytes of header, and 36 are there.
    meter(cut);
    meter.end();
    assertThat(meter.otherPackets()).isEqualTo(1);
    assertThat(meter.malformedPackets()).isEqualTo(1);
    assertThat(told.flows()).isEmpty();
  }

  @Test
  void shouldMakeRoomForNewFlowsAndLoseNoPacket() {
    meter = meter(FlowSettings.DEFAULT.withMaxFlows(8));
    for (int i = 0; i < 1_000; i++) {
      after(0.001);
      Packet packet = segments.udp(true, i & 0xFF);
      packet.u16(L4, i % 50);
      meter(packet);
    }
    assertThat(meter.open()).isEqualTo(8);
    assertThat(told.flows()).extracting(Told.Flow::end).containsOnly(FlowEnd.RESOURCES);
    assertThat(told.flows()).hasSize((int) meter.evicted());
    meter.end();
    assertThat(told.flows().stream().mapToLong(flow -> flow.packets().get(0)).sum())
        .isEqualTo(1_000);
    assertThat(told.flows().stream().mapToLong(flow -> flow.octets().get(0)).sum())
        .isEqualTo(meter.octets());
  }

  @Test
  void shouldReadTheOuterVlan() {
    byte[] frame = segments.udp(true, 5).toBytes();
    byte[] tagged = new byte[frame.length + 4];
    System.arraycopy(frame, 0, tagged, 0, 12);
    System.arraycopy(frame, 12, tagged, 16, frame.length - 12);
    tagged[12] = (byte) 0x81;
    tagged[14] = 0x61;
    tagged[15] = 0x23;
    segments.burst(List.of(tagged));
    meter(segments.burst().packet(0));
    meter.end();
    assertThat(told.only().vlan()).isEqualTo(0x123);
    assertThat(told.only().octets()).containsExactly(33L, 0L);
    assertThat(told.only().frameOctets()).containsExactly(51L, 0L);
  }

  /** Whatever packets say, all are counted once. */
  @Test
  void shouldTellOfEveryPacketOnce() {
    meter = meter(FlowSettings.DEFAULT.withMaxFlows(64));
    int packets = Soak.times(20_000, 5_000_000);
    for (int i = 0; i < packets; i++) {
      now += random.nextLong(-SECOND / 10, SECOND / 2);
      Packet packet =
          segments.tcp(random.nextBoolean(), random.nextInt(256), 1, 1, 9, random.nextInt(40), -1);
      for (int change = random.nextInt(4); change > 0; change--) {
        packet.u8(12 + random.nextInt(packet.length() - 12), random.nextInt(256));
      }
      packet.shrinkTail(random.nextInt(8) == 0 ? random.nextInt(packet.length()) : 0);
      meter(packet);
    }
    assertThat(meter.open()).isLessThanOrEqualTo(64);
    meter.end();
    assertThat(sum(0) + sum(1)).isEqualTo(meter.packets());
    assertThat(meter.packets() + meter.otherPackets() + meter.malformedPackets())
        .isEqualTo(packets);
    assertThat(told.flows()).hasSize((int) meter.told());
    assertThat(told.flows())
        .allSatisfy(
            flow -> assertThat(flow.packets()).anySatisfy(count -> assertThat(count).isPositive()));
  }

  private long sum(int direction) {
    return told.flows().stream().mapToLong(flow -> flow.packets().get(direction)).sum();
  }

  @Test
  void shouldTellTheSameOfTheSamePackets() {
    List<List<String>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Told flows = new Told();
      meter = new FlowMeter(FlowSettings.DEFAULT.withMaxFlows(16), random, flows);
      SplittableRandom same = new SplittableRandom(9);
      now = START;
      for (int i = 0; i < 5_000; i++) {
        now += same.nextLong(SECOND);
        Packet packet = segments.udp(same.nextBoolean(), 9);
        packet.u16(L4, same.nextInt(30));
        meter(packet);
      }
      meter.end();
      runs.add(flows.json());
    }
    assertThat(runs.get(0)).hasSizeGreaterThan(100).isEqualTo(runs.get(1));
  }

  @Test
  void shouldEndureTimesThatCannotBe() {
    for (long time : new long[] {START, Long.MAX_VALUE, Long.MIN_VALUE, 0, -1, START + SECOND}) {
      now = time;
      meter(segments.udp(true, 9));
    }
    meter.end();
    assertThat(sum(0)).isEqualTo(6);
  }

  @Test
  void shouldWriteInformationElementsAsJson() {
    tcp(true, Tcp.SYN, 0);
    after(1.000000001);
    tcp(false, SYN_ACK, 2);
    meter.end();
    assertThat(told.json().get(0))
        .startsWith(
            "{\"sourceIPv4Address\":\"10.0.0.1\",\"destinationIPv4Address\":\"10.0.0.2\",\"sourceTransportPort\":40000,\"destinationTransportPort\":80,\"protocolIdentifier\":6,\"flowEndReason\":4,\"biflowDirection\":1,\"flowStartNanoseconds\":\"2023-11-14T22:13:20.000000000Z\"")
        .contains("\"reverseFlowEndNanoseconds\":\"2023-11-14T22:13:21.000000001Z\"")
        .contains("\"octetDeltaCount\":40,", "\"reverseOctetDeltaCount\":42,")
        .endsWith("\"reverseMaximumTTL\":64}")
        .doesNotContain("vlanId", "icmp");
  }

  @Test
  void shouldSayWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowSettings.DEFAULT.withMaxFlows(1))
        .withMessageContaining("maxFlows=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FlowSettings.DEFAULT.withIdleTimeout(Duration.ofMillis(999)))
        .withMessageContaining("idleTimeout=PT0.999S");
  }

  @Test
  void shouldMakeNoObjects() {
    long[] sum = new long[1];
    meter =
        new FlowMeter(
            FlowSettings.DEFAULT.withMaxFlows(256), random, flow -> sum[0] += flow.packets(0));
    AllocationMeter objects = new AllocationMeter(100_000);
    Packet udp = segments.udp(true, 30);
    long handle = segments.owned().handle(0);
    int i = 0;
    while (!objects.isDone()) {
      now += SECOND / 1_000;
      udp.u16(L4, i++ % 300);
      Mbuf.timestampNs(handle, now);
      meter.accept(udp);
      objects.add(1);
    }
    objects.assertQuiet();
    assertThat(sum[0]).isPositive();
  }
}
