package io.linerate.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Tcp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTrackerTest {
  private static final long SECOND = 1_000_000_000;
  private static final int SYN_ACK = Tcp.SYN | Tcp.ACK;
  private static final int FIN_ACK = Tcp.FIN | Tcp.ACK;
  private static final int RST_ACK = Tcp.RST | Tcp.ACK;

  /** Numbers of the first SYNs: what follows goes round. */
  private static final long C = 0xFFFF_FFF0L;

  private static final long S = 0x7FFF_FFF0L;

  private final Segments segments = new Segments();
  private final ConnectionTable table = new ConnectionTable(64, 0, new SplittableRandom(1));
  private final ConnectionRecords records = table.records();
  private ConnectionTracker tracker = new ConnectionTracker(table, TrackSettings.DEFAULT);
  private long now;

  @AfterEach
  void buffersAreHome() {
    segments.close();
  }

  private Relation look(Packet packet) {
    tracker.lookUp(segments.burst());
    return tracker.track(packet, now);
  }

  private Relation track(Packet packet) {
    Relation relation = look(packet);
    if (relation == Relation.NEW) {
      assertThat(tracker.admit(now)).isNotEqualTo(ConnectionTable.NONE);
    }
    return relation;
  }

  private Relation client(int flags, long sequence, long ack, int bytes) {
    return track(segments.tcp(true, flags, C + sequence, S + ack, 1_000, bytes, -1));
  }

  private Relation server(int flags, long sequence, long ack, int bytes) {
    return track(segments.tcp(false, flags, S + sequence, C + ack, 2_000, bytes, -1));
  }

  private Phase phase() {
    return records.phase(tracker.place() >>> 1);
  }

  private void open() {
    assertThat(client(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.NEW);
    assertThat(phase()).isEqualTo(Phase.TCP_OPENING);
    assertThat(server(SYN_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_OPENING);
    assertThat(client(Tcp.ACK, 1, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(records.isAssured(0)).isTrue();
  }

  private void assertOutside(Relation relation, TrackDefect why) {
    assertThat(relation).isEqualTo(Relation.INVALID);
    assertThat(tracker.defect()).isEqualTo(why);
    assertThat(tracker.place()).isEqualTo(ConnectionTable.NONE);
  }

  @Test
  void shouldFollowAConnectionFromItsBeginToItsEnd() {
    open();
    assertThat(client(Tcp.ACK, 1, 1, 500)).isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.ACK, 1, 501, 700)).isEqualTo(Relation.ESTABLISHED);
    assertThat(tracker.place()).isEqualTo(1);
    assertThat(client(FIN_ACK, 501, 701, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSING);
    assertThat(server(Tcp.ACK, 701, 502, 300)).as("half closed").isEqualTo(Relation.ESTABLISHED);
    assertThat(server(FIN_ACK, 1_001, 502, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSING);
    assertThat(client(Tcp.ACK, 502, 1_002, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSED);
    assertThat(records.packets(0)).isEqualTo(5);
    assertThat(records.packets(1)).isEqualTo(4);
    assertThat(server(FIN_ACK, 1_001, 502, 0)).as("again").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.SYN, 90_000, 0, 0)).as("reopened").isEqualTo(Relation.NEW);
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void shouldRefuseWhatIsOutsideTheWindows() {
    open();
    assertThat(client(Tcp.ACK, 1, 1, 2_000)).as("all of it").isEqualTo(Relation.ESTABLISHED);
    assertOutside(client(Tcp.ACK, 2_001, 1, 1), TrackDefect.OUT_OF_WINDOW);
    assertOutside(client(Tcp.ACK, 100_000, 1, 10), TrackDefect.OUT_OF_WINDOW);
    assertOutside(client(Tcp.ACK, -70_000, 1, 10), TrackDefect.OUT_OF_WINDOW);
    assertOutside(client(Tcp.ACK, 2_001, 2, 0), TrackDefect.OUT_OF_WINDOW);
    assertOutside(client(Tcp.ACK, 2_001, -70_000, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(client(Tcp.ACK, 1, 1, 2_000)).as("again").isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.ACK, 1, 2_001, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 2_000, 1, 1)).as("keep-alive").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 2_001, 1, 2_000)).as("further").isEqualTo(Relation.ESTABLISHED);
    assertOutside(client(Tcp.ACK, 4_001, 1, 1), TrackDefect.OUT_OF_WINDOW);
  }

  @Test
  void shouldScaleWindowsWhereBothEndsDo() {
    assertThat(track(segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, 3))).isEqualTo(Relation.NEW);
    track(segments.tcp(false, SYN_ACK, S, C + 1, 2_000, 0, 4));
    assertThat(track(segments.tcp(true, Tcp.ACK, C + 1, S + 1, 1_000, 2_000, -1)))
        .as("the window of a SYN is not scaled")
        .isEqualTo(Relation.ESTABLISHED);
    assertOutside(
        track(segments.tcp(true, Tcp.ACK, C + 2_001, S + 1, 1_000, 1, -1)),
        TrackDefect.OUT_OF_WINDOW);
    track(segments.tcp(false, Tcp.ACK, S + 1, C + 2_001, 2_000, 0, -1));
    assertThat(track(segments.tcp(true, Tcp.ACK, C + 2_001 + 31_000, S + 1, 1_000, 1_000, -1)))
        .as("2,000 shifted by 4")
        .isEqualTo(Relation.ESTABLISHED);
    assertOutside(
        track(segments.tcp(true, Tcp.ACK, C + 2_001 + 32_000, S + 1, 1_000, 1, -1)),
        TrackDefect.OUT_OF_WINDOW);
  }

  @Test
  void shouldNotScaleWhereOneEndDoesNot() {
    track(segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, 7));
    track(segments.tcp(false, SYN_ACK, S, C + 1, 2_000, 0, 7));
    track(segments.tcp(false, SYN_ACK, S, C + 1, 2_000, 0, -1));
    track(segments.tcp(true, Tcp.ACK, C + 1, S + 1, 1_000, 0, -1));
    assertOutside(
        track(segments.tcp(false, Tcp.ACK, S + 1_001, C + 1, 2_000, 1, -1)),
        TrackDefect.OUT_OF_WINDOW);
  }

  @Test
  void shouldTakeResetsAtTheEdgeOnly() {
    open();
    assertThat(client(RST_ACK, 500, 1, 0)).as("challenged").isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertOutside(client(RST_ACK, 5_000, 1, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(server(RST_ACK, 1, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSED);
    assertThat(records.isAssured(0)).isFalse();
  }

  @Test
  void shouldTakeTheRefusalOfASynAndNoOther() {
    client(Tcp.SYN, 0, 0, 0);
    assertOutside(server(Tcp.RST, 0, 0, 0), TrackDefect.OUT_OF_WINDOW);
    assertOutside(server(RST_ACK, 0, 2, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(server(RST_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSED);
  }

  @Test
  void shouldNotBelieveAnAcknowledgmentOfWhatWasNotSent() {
    client(Tcp.SYN, 0, 0, 0);
    assertOutside(server(SYN_ACK, 0, 2, 0), TrackDefect.OUT_OF_WINDOW);
    assertOutside(server(SYN_ACK, 0, 0, 0), TrackDefect.OUT_OF_WINDOW);
    assertOutside(client(Tcp.ACK, 1, 1, 0), TrackDefect.OUT_OF_WINDOW);
    server(SYN_ACK, 0, 1, 0);
    assertOutside(client(Tcp.ACK, 1, 2, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(records.isAssured(0)).isFalse();
    assertThat(server(SYN_ACK, 0, 1, 0)).as("again").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.SYN, 0, 0, 0)).as("again").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
  }

  @Test
  void shouldTakeTheLastNumberOfAServerThatForgets() {
    client(Tcp.SYN, 0, 0, 0);
    assertThat(server(SYN_ACK, 500, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertOutside(server(SYN_ACK, 700, 2, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(server(SYN_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(server(SYN_ACK, 500, 1, 0)).as("late").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.ESTABLISHED);
  }

  @Test
  void shouldLetBothEndsAskAtOnce() {
    client(Tcp.SYN, 0, 0, 0);
    assertThat(server(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(SYN_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(server(SYN_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 100)).isEqualTo(Relation.ESTABLISHED);
  }

  /** RFC 7413: data in a SYN, and a server that sends before its own is acknowledged. */
  @Test
  void shouldTakeEarlyData() {
    assertThat(client(Tcp.SYN, 0, 0, 100)).isEqualTo(Relation.NEW);
    assertThat(server(SYN_ACK, 0, 101, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.ACK, 1, 101, 700)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 101, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
  }

  @Test
  void shouldLetASynOnAConnectionBeChallenged() {
    open();
    assertThat(client(Tcp.SYN, 70_000, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(server(Tcp.ACK, 1, 1, 0)).as("the challenge").isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.ESTABLISHED);
  }

  /** RFC 9293, figure 9: a server that has not forgotten the connection of before. */
  @Test
  void shouldLetAnOldConnectionBeResetAndANewOneBegin() {
    assertThat(client(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.NEW);
    assertOutside(client(Tcp.RST, 9_000, 0, 0), TrackDefect.OUT_OF_WINDOW);
    assertThat(server(Tcp.ACK, 500, -9_000, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.RST, -9_000, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_OPENING);
    assertThat(client(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(server(SYN_ACK, 0, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(Tcp.ACK, 1, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        Tcp.FIN,
        Tcp.PSH | Tcp.URG | Tcp.FIN,
        Tcp.SYN | Tcp.FIN,
        Tcp.SYN | Tcp.RST,
        Tcp.FIN | Tcp.RST | Tcp.ACK
      })
  void shouldRefuseFlagsThatNobodySends(int flags) {
    assertOutside(client(flags, 0, 0, 0), TrackDefect.BAD_FLAGS);
    open();
    assertOutside(client(flags, 1, 1, 0), TrackDefect.BAD_FLAGS);
  }

  @Test
  void shouldKnowNoConnectionFromItsMiddle() {
    assertOutside(client(Tcp.ACK, 1, 1, 10), TrackDefect.NO_CONNECTION);
    assertOutside(server(SYN_ACK, 0, 1, 0), TrackDefect.NO_CONNECTION);
    assertOutside(client(Tcp.RST, 0, 1, 0), TrackDefect.NO_CONNECTION);
    tracker = new ConnectionTracker(table, TrackSettings.DEFAULT.withPicksUp(true));
    assertOutside(client(Tcp.RST, 0, 1, 0), TrackDefect.NO_CONNECTION);
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.NEW);
    assertThat(client(Tcp.ACK, 11, 1, 10)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).as("nobody has answered").isEqualTo(Phase.TCP_OPENING);
    assertThat(records.isAssured(0)).isFalse();
    assertThat(server(Tcp.ACK, 1, 90_000, 10)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(records.isAssured(0)).isTrue();
    assertThat(server(FIN_ACK, 11, 90_000, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSING);
  }

  /** Its windows are not known; what the other end has acknowledged is. */
  @Test
  void shouldNotEndAConnectionFromItsMiddleByAnyReset() {
    tracker = new ConnectionTracker(table, TrackSettings.DEFAULT.withPicksUp(true));
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.NEW);
    assertThat(server(Tcp.ACK, 1, 11, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.ACK, 70_000, 11, 1)).as("forged").isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.RST, 70_001, 0, 0)).as("forged").isEqualTo(Relation.ESTABLISHED);
    assertThat(server(Tcp.RST, 5, 0, 0)).as("to be challenged").isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(server(Tcp.RST, 1, 0, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSED);
  }

  @Test
  void shouldEndAConnectionOfOneDirectionByItsReset() {
    tracker =
        new ConnectionTracker(table, TrackSettings.DEFAULT.withPicksUp(true).withIsOneWay(true));
    assertThat(client(Tcp.SYN, 0, 0, 0)).isEqualTo(Relation.NEW);
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.ESTABLISHED);
    assertThat(client(RST_ACK, 11, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.TCP_CLOSED);
  }

  @Test
  void shouldBelieveNoWrongChecksumOfWhatOpensOrCloses() {
    Packet packet = segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, -1);
    packet.u16(Segments.L4 + 14, 1_001);
    assertOutside(look(packet), TrackDefect.BAD_CHECKSUM);
    packet.u16(Segments.L4 + 14, 1_000);
    assertThat(look(packet)).isEqualTo(Relation.NEW);
  }

  @Test
  void shouldFollowDatagramsAndQueries() {
    assertThat(track(segments.udp(true, 10))).isEqualTo(Relation.NEW);
    assertThat(phase()).isEqualTo(Phase.UDP_UNANSWERED);
    assertThat(track(segments.udp(true, 10))).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.UDP_UNANSWERED);
    assertThat(track(segments.udp(false, 10))).isEqualTo(Relation.ESTABLISHED);
    assertThat(phase()).isEqualTo(Phase.UDP_ANSWERED);
    assertOutside(track(segments.icmp(true, Icmp.ECHO_REPLY, 5)), TrackDefect.NO_CONNECTION);
    assertThat(track(segments.icmp(true, Icmp.ECHO, 5))).isEqualTo(Relation.NEW);
    assertThat(track(segments.icmp(false, Icmp.ECHO_REPLY, 5))).isEqualTo(Relation.ESTABLISHED);
    assertOutside(track(segments.icmp(false, Icmp.ECHO_REPLY, 6)), TrackDefect.NO_CONNECTION);
    assertThat(track(segments.icmp(false, Icmp.ECHO, 5))).as("its own").isEqualTo(Relation.NEW);
    assertThat(track(segments.other(47, true))).isEqualTo(Relation.NEW);
    assertThat(track(segments.other(47, false))).isEqualTo(Relation.ESTABLISHED);
    assertThat(track(segments.icmp(true, 9, 0))).as("a router's").isEqualTo(Relation.UNTRACKED);
  }

  /** As many as there is room for, each of one packet in another's name, and of its answer. */
  @Test
  void shouldNotBeFullOfQuestionsThatWereAnsweredOnce() {
    for (int port = 1; port <= 64; port++) {
      assertThat(track(from(port, segments.udp(true, 10)))).isEqualTo(Relation.NEW);
      assertThat(track(to(port, segments.udp(false, 10)))).isEqualTo(Relation.ESTABLISHED);
    }
    assertThat(track(segments.udp(true, 10))).as("has room").isEqualTo(Relation.NEW);
    track(segments.udp(false, 10));
    track(segments.udp(true, 10));
    int number = tracker.place() >>> 1;
    assertThat(records.isAssured(number)).as("goes on").isTrue();
    for (int port = 101; port <= 400; port++) {
      assertThat(track(from(port, segments.udp(true, 10)))).isEqualTo(Relation.NEW);
    }
    assertThat(track(segments.udp(true, 10))).isEqualTo(Relation.ESTABLISHED);
  }

  @Test
  void shouldKeepPingsThatGoOn() {
    for (boolean isFirst : new boolean[] {true, false, true}) {
      track(segments.icmp(isFirst, isFirst ? Icmp.ECHO : Icmp.ECHO_REPLY, 5));
    }
    assertThat(records.isAssured(tracker.place() >>> 1)).isTrue();
  }

  private static Packet from(int port, Packet packet) {
    packet.u16(Segments.L4, port);
    return packet;
  }

  private static Packet to(int port, Packet packet) {
    packet.u16(Segments.L4 + 2, port);
    return packet;
  }

  /** RFC 5382, REQ-5: what is not open is not kept as long. */
  @Test
  void shouldForgetSoonWhatNobodyAnswersInTheMiddle() {
    tracker = new ConnectionTracker(table, TrackSettings.DEFAULT.withPicksUp(true));
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.NEW);
    now += 241 * SECOND;
    table.expire(now, 100);
    assertThat(table.size()).isZero();
    tracker =
        new ConnectionTracker(table, TrackSettings.DEFAULT.withPicksUp(true).withIsOneWay(true));
    assertThat(client(Tcp.ACK, 1, 1, 10)).isEqualTo(Relation.NEW);
    assertThat(phase()).isEqualTo(Phase.TCP_ESTABLISHED);
    assertThat(client(FIN_ACK, 11, 1, 0)).isEqualTo(Relation.ESTABLISHED);
    now += 241 * SECOND;
    table.expire(now, 100);
    assertThat(table.size()).isZero();
  }

  @Test
  void shouldRelateErrorsToWhatTheyAreAbout() {
    Packet syn = segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, -1);
    track(syn);
    assertThat(track(segments.error(false, Icmp.DESTINATION_UNREACHABLE, syn)))
        .isEqualTo(Relation.RELATED);
    assertThat(tracker.place()).isEqualTo(1);
    assertOutside(
        track(
            segments.error(
                true, Icmp.TIME_EXCEEDED, segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, -1))),
        TrackDefect.NO_CONNECTION);
    assertOutside(
        track(
            segments.error(
                false,
                Icmp.TIME_EXCEEDED,
                segments.tcp(true, Tcp.ACK, C + 500_000, 0, 1_000, 0, -1))),
        TrackDefect.OUT_OF_WINDOW);
    assertOutside(
        track(segments.error(false, Icmp.TIME_EXCEEDED, segments.udp(true, 30))),
        TrackDefect.NO_CONNECTION);
    Packet wrong =
        segments.error(false, Icmp.TIME_EXCEEDED, segments.tcp(true, Tcp.SYN, C, 0, 1_000, 0, -1));
    wrong.u8(Segments.L4 + 1, 1);
    assertOutside(track(wrong), TrackDefect.BAD_CHECKSUM);
  }

  @Test
  void shouldWantFragmentsTogether() {
    assertOutside(track(segments.fragment(true)), TrackDefect.FRAGMENT);
    assertOutside(track(segments.fragment(false)), TrackDefect.FRAGMENT);
  }

  @Test
  void shouldForgetWhatIsSilent() {
    tracker =
        new ConnectionTracker(
            table, TrackSettings.DEFAULT.withTimeout(Phase.UDP_ANSWERED, Duration.ofSeconds(20)));
    track(segments.udp(true, 10));
    now += 119 * SECOND;
    assertThat(track(segments.udp(false, 10))).isEqualTo(Relation.ESTABLISHED);
    now += 20 * SECOND - 1;
    assertThat(track(segments.udp(true, 10))).isEqualTo(Relation.ESTABLISHED);
    now += 20 * SECOND;
    assertThat(track(segments.udp(true, 10))).as("in time").isEqualTo(Relation.NEW);
    now += 121 * SECOND;
    table.expire(now, 100);
    assertThat(table.size()).isZero();
    assertThat(table.expired()).isEqualTo(1);
  }

  /** What is known of a connection, but for its place in lists. */
  private static List<Object> known(ConnectionRecords some, int number) {
    List<Object> all = new ArrayList<>();
    all.add(some.isLive(number));
    all.add(some.phase(number));
    all.add(some.expiresNs(number));
    all.add(some.isReplied(number));
    all.add(some.isAssured(number));
    for (int place = 2 * number; place < 2 * number + 2; place++) {
      all.add(some.packets(place));
      all.add(some.bytes(place));
      all.add(List.of(some.end(place), some.most(place), some.acknowledged(place)));
      all.add(List.of(some.window(place), some.scale(place), some.tcpFlags(place)));
    }
    return all;
  }

  /** What {@code follow} takes for granted, against the same packets without it. */
  @Test
  @Tag("sampled")
  void shouldFollowManyAsItTracksOne() {
    SplittableRandom random = new SplittableRandom(Soak.seed(7));
    ConnectionTable other = new ConnectionTable(64, 0, new SplittableRandom(2));
    ConnectionTracker single = new ConnectionTracker(other, TrackSettings.DEFAULT);
    HeaderScanner scanner = new HeaderScanner();
    int followed = 0;
    int times = Soak.times(200_000, 20_000_000);
    long[] numbers = new long[3];
    for (int i = 0; i < times; i++) {
      now += random.nextInt(100) == 0 ? random.nextLong(400 * SECOND) : random.nextLong(SECOND);
      Packet packet = random.nextInt(10) == 0 ? anyUdp(random) : likelySegment(random, numbers);
      tracker.lookUp(segments.burst());
      Relation relation = Relation.ESTABLISHED;
      int place = tracker.followed(0, now);
      assertThat(tracker.follow(0, now)).isEqualTo(place == ConnectionTable.NONE ? 0 : 1);
      if (place != ConnectionTable.NONE) {
        followed++;
      } else {
        relation = tracker.track(packet, now);
      }
      scanner.scan(packet);
      assertThat(single.track(packet, scanner, now)).as("step " + i).isEqualTo(relation);
      assertThat(place).as("step " + i).isIn(single.place(), ConnectionTable.NONE);
      if (relation == Relation.NEW) {
        assertThat(tracker.admit(now)).isEqualTo(single.admit(now));
      }
      assertThat(known(records, 0)).as("step " + i).isEqualTo(known(other.records(), 0));
      assertThat(known(records, 1)).as("step " + i).isEqualTo(known(other.records(), 1));
      table.expire(now, 10);
      other.expire(now, 10);
    }
    assertThat(followed).isBetween(times / 10, times);
  }

  private Packet anyUdp(SplittableRandom random) {
    return segments.udp(random.nextBoolean(), random.nextInt(1, 20));
  }

  /**
   * Of one conversation, which goes on, is disturbed, ends and begins again.
   *
   * @param numbers what each end sends next, and how much of a begin is to come
   */
  private Packet likelySegment(SplittableRandom random, long[] numbers) {
    boolean isFromClient = random.nextBoolean();
    int own = isFromClient ? 0 : 1;
    int kind = random.nextInt(1_000);
    int flags = Tcp.ACK | (random.nextBoolean() ? 0x08 : 0);
    int bytes = random.nextInt(3) == 0 ? 0 : random.nextInt(1_400);
    long sequence = numbers[own];
    long ack = numbers[own ^ 1];
    if (kind < 5 && numbers[2] == 0) {
      numbers[2] = 2;
      return segments.tcp(isFromClient, RST_ACK, sequence, ack, 0, 0, -1);
    }
    if (numbers[2] == 2 || kind == 5) {
      numbers[0] = random.nextLong(1L << 32);
      numbers[2] = 1;
      return segments.tcp(
          true, Tcp.SYN, numbers[0]++, 0, random.nextInt(65_536), 0, anyScale(random));
    }
    if (numbers[2] == 1 || kind == 10) {
      numbers[1] = random.nextLong(1L << 32);
      numbers[2] = 0;
      return segments.tcp(
          false, SYN_ACK, numbers[1]++, numbers[0], random.nextInt(65_536), 0, anyScale(random));
    }
    if (kind == 11) {
      flags = FIN_ACK;
    } else if (kind == 12) {
      flags = random.nextBoolean() ? RST_ACK : Tcp.RST;
    } else if (kind < 40) { // Where nothing was sent, and what nobody sends.
      sequence += random.nextInt(-200_000, 200_000);
      ack += random.nextInt(-200_000, 200_000);
      flags = random.nextInt(64);
    } else if (kind < 200) { // Again.
      sequence -= random.nextInt(3_000);
      ack -= random.nextInt(3_000);
    } else {
      numbers[own] += bytes;
    }
    int window = random.nextInt(4) == 0 ? random.nextInt(65_536) : 30_000;
    return segments.tcp(isFromClient, flags, sequence, ack, window, bytes, -1);
  }

  private static int anyScale(SplittableRandom random) {
    return random.nextInt(3) == 0 ? -1 : random.nextInt(16);
  }

  /** Among them packets of connections that others of the burst begin, or end by a new SYN. */
  @Test
  @Tag("sampled")
  void shouldTellOfABurstWhatItTellsOfItsPackets() {
    SplittableRandom random = new SplittableRandom(Soak.seed(6));
    ConnectionTracker single =
        new ConnectionTracker(
            new ConnectionTable(16, 0, new SplittableRandom(2)), TrackSettings.DEFAULT);
    tracker =
        new ConnectionTracker(
            new ConnectionTable(16, 0, new SplittableRandom(2)), TrackSettings.DEFAULT);
    for (int i = Soak.times(20_000, 5_000_000); i > 0; i--) {
      now += random.nextLong(SECOND);
      List<byte[]> frames = new ArrayList<>();
      for (int count = random.nextInt(1, 20); count > 0; count--) {
        frames.add(anyFrame(random));
      }
      List<Relation> singly = new ArrayList<>();
      for (byte[] frame : frames) {
        singly.addAll(relations(single, List.of(frame)));
      }
      assertThat(relations(tracker, frames)).isEqualTo(singly);
    }
  }

  private byte[] anyFrame(SplittableRandom random) {
    boolean isFromClient = random.nextBoolean();
    int[] flags = {Tcp.SYN, SYN_ACK, Tcp.ACK, RST_ACK};
    Packet packet =
        switch (random.nextInt(3)) {
          case 0 -> segments.udp(isFromClient, 4);
          case 1 -> segments.icmp(isFromClient, 8 * random.nextInt(2), random.nextInt(20));
          default -> segments.tcp(isFromClient, flags[random.nextInt(4)], 7, 8, 9, 0, -1);
        };
    if (random.nextBoolean()) {
      packet.u16(Segments.L4 + (isFromClient ? 0 : 2), random.nextInt(20));
    }
    return packet.toBytes();
  }

  private List<Relation> relations(ConnectionTracker one, List<byte[]> frames) {
    List<Relation> relations = new ArrayList<>();
    Burst burst = segments.burst(frames);
    one.lookUp(burst);
    for (Packet packet : burst) {
      Relation relation = one.track(packet, now);
      relations.add(relation);
      if (relation == Relation.NEW) {
        int _ = one.admit(now);
      }
    }
    return relations;
  }

  @Test
  void shouldAdmitOnlyWhatIsNew() {
    Relation _ = look(segments.udp(true, 1));
    tracker.admit(now);
    assertThatIllegalStateException()
        .isThrownBy(() -> tracker.admit(now))
        .withMessageContaining("relation=ESTABLISHED");
  }

  @Test
  void shouldMakeNoObjects() {
    AllocationMeter meter = new AllocationMeter(100_000);
    Packet udp = segments.udp(true, 30);
    int i = 0;
    while (!meter.isDone()) {
      now += SECOND / 1_000;
      udp.u16(Segments.L4, i++ & 0xFF);
      if (look(udp) == Relation.NEW) {
        tracker.admit(now);
      }
      table.expire(now, 2);
      meter.add(1);
    }
    meter.assertQuiet();
  }
}
