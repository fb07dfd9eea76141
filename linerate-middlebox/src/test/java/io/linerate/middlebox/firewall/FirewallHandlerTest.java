package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.log.LogEntry;
import io.linerate.core.log.ProgramLog;
import io.linerate.middlebox.firewall.RuleBook.Line;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FirewallHandlerTest {
  private static final int BUFFERS = 64;

  private static final Direction OUT = new Direction("lan", "wan");
  private static final Direction BACK = new Direction("wan", "lan");

  private static RuleBook book(String rules) {
    return RuleBook.of(RulesFile.parse("r", rules, _ -> {}), List.of(OUT, BACK));
  }

  private static List<Long> hits(RuleBook book) {
    return book.lines().stream().map(Line::hits).toList();
  }

  /** IPv4 without options, one byte of it changed, any length. */
  @Test
  @Tag("sampled")
  void shouldDecideTheSameWithAndWithoutTheShortCut() {
    String rules = "drop 0.0.0.0/1 17\npass 128.0.0.0/1 6\ndrop 0.0.0.0/2\nnonip pass\n";
    RuleBook one = book(rules);
    RuleBook other = book(rules);
    Random random = new Random(Soak.seed(3));
    try (ElementHarness shortCut =
            new ElementHarness(new RuleFilter(one, OUT, true, Optional.empty()), BUFFERS);
        ElementHarness whole =
            new ElementHarness(new RuleFilter(other, OUT, false, Optional.empty()), BUFFERS)) {
      int frames = Soak.times(20_000, 5_000_000);
      for (int i = 0; i < frames; i++) {
        byte[] frame = new byte[34 + random.nextInt(30)];
        random.nextBytes(frame);
        frame[12] = 8;
        frame[13] = 0;
        frame[14] = 0x45;
        frame[16] = 0;
        frame[17] = (byte) random.nextInt(64);
        frame[23] = (byte) (random.nextBoolean() ? 6 : 17);
        if (random.nextInt(4) == 0) {
          frame[12 + random.nextInt(14)] = (byte) random.nextInt(256);
        }
        byte[] cut = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
        shortCut.push(cut);
        whole.push(cut);
        assertThat(shortCut.out("out").size()).isEqualTo(whole.out("out").size());
        if (i % 100 == 0) {
          assertThat(hits(one)).isEqualTo(hits(other));
        }
      }
      assertThat(hits(one)).isEqualTo(hits(other)).doesNotContain(0L);
      assertThat(shortCut.drops()).isEqualTo(whole.drops()).containsKey("malformed");
    }
  }

  @Test
  void shouldGiveOutWhatIsRejected() {
    RuleBook book = book("reject udp from 10.0.0.1 limit 2/h\npass tcp\ndefault reject");
    try (ElementHarness filter =
        new ElementHarness(new RuleFilter(book, OUT, true, Optional.empty()), BUFFERS)) {
      byte[] limited = udp4().between("10.0.0.1", "192.0.2.1").toBytes();
      byte[] other = udp4().between("10.0.0.2", "192.0.2.1").toBytes();
      byte[] passed = tcp4().between("10.0.0.1", "192.0.2.1").toBytes();
      filter.push(limited, passed, limited, other, limited);
      assertThat(filter.out("rejected")).containsExactly(limited, limited, other);
      assertThat(filter.out("out")).containsExactly(passed);
      assertThat(filter.drops()).containsOnly(Map.entry("rule_limit", 1L));
      assertThat(hits(book)).containsExactly(3L, 1L, 1L, 0L);
    }
  }

  /** Both ends of a tunnel are known; what is inside has to have been asked for. */
  @Test
  void shouldTrackWhatTunnelsCarry() {
    RuleBook book =
        book(
            """
            inner on
            pass state established
            pass in lan state new
            pass in wan udp port 4789
            default drop
            """);
    Optional<Tracking> tracking = Optional.of(new Tracking(64, TrackSettings.DEFAULT));
    try (ElementHarness out =
            new ElementHarness(new RuleFilter(book, OUT, true, tracking), BUFFERS);
        ElementHarness back =
            new ElementHarness(new RuleFilter(book, BACK, true, tracking), BUFFERS)) {
      byte[] asks = inVxlan("10.0.0.1", "10.0.0.2", 5_000, udp4().ports(1_000, 9));
      byte[] answers =
          inVxlan(
              "10.0.0.2",
              "10.0.0.1",
              6_000,
              udp4().between("198.51.100.2", "192.0.2.1").ports(9, 1_000));
      byte[] others =
          inVxlan(
              "10.0.0.2",
              "10.0.0.1",
              6_000,
              udp4().between("198.51.100.2", "192.0.2.1").ports(9, 1_001));
      back.push(answers);
      assertThat(back.drops()).containsOnly(Map.entry("default_rule", 1L));
      out.push(asks);
      assertThat(out.out("out")).hasSize(1);
      back.push(answers, others);
      assertThat(back.out("out")).containsExactly(answers);
      assertThat(back.drops()).containsOnly(Map.entry("default_rule", 2L));
    }
  }

  private static byte[] inVxlan(String from, String to, int port, FrameBuilder inner) {
    byte[] header = {8, 0, 0, 0, 0, 0, 7, 0};
    return udp4()
        .between(from, to)
        .ports(port, 4_789)
        .payload(header, inner.payload(9).toBytes())
        .toBytes();
  }

  @Test
  void shouldPassWhatComesBackOfWhatWentOut() {
    RuleBook book =
        book("pass state established\npass in lan tcp flags S/SA state new\ndefault drop");
    Optional<Tracking> tracking = Optional.of(new Tracking(8, TrackSettings.DEFAULT));
    try (ElementHarness out =
            new ElementHarness(new RuleFilter(book, OUT, true, tracking), BUFFERS);
        ElementHarness back =
            new ElementHarness(new RuleFilter(book, BACK, true, tracking), BUFFERS)) {
      Client client = new Client(80);
      byte[] synAck = client.synAck(0);
      back.push(synAck);
      assertThat(back.out("out")).isEmpty();
      assertThat(back.drops()).containsEntry("default_rule", 1L);
      out.push(client.syn());
      assertThat(out.out("out")).hasSize(1);
      assertThat(out.read("connections")).isEqualTo("1");
      back.push(synAck);
      assertThat(back.out("out")).hasSize(1);
      out.push(udp4().between("10.0.0.1", "192.0.2.1").toBytes());
      assertThat(out.drops()).containsEntry("default_rule", 1L);
    }
  }

  /** A question and its answer come in one burst, as from a file: the answer is one. */
  @Test
  void shouldKnowConnectionsThatBeginInTheSameBurst() {
    RuleBook book = book("pass state established\npass from 10.0.0.0/8 state new\ndefault drop");
    Optional<Tracking> tracking = Optional.of(new Tracking(1_000, TrackSettings.DEFAULT));
    try (ElementHarness out =
        new ElementHarness(new RuleFilter(book, OUT, true, tracking), BUFFERS)) {
      List<byte[]> frames = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String client = "10.0.0." + i;
        frames.add(udp4().between(client, "192.0.2.1").ports(1_000, 53).toBytes());
        frames.add(udp4().between("192.0.2.1", client).ports(53, 1_000).toBytes());
        frames.add(udp4().between("192.0.2.1", client).ports(54, 1_000).toBytes());
      }
      out.push(frames.toArray(new byte[0][]));
      assertThat(out.out("out")).hasSize(16);
      assertThat(out.drops()).containsOnly(Map.entry("default_rule", 8L));
      assertThat(hits(book)).containsExactly(8L, 8L, 8L, 0L);
    }
  }

  @Test
  void shouldPassNoMoreThanARuleAllows() {
    RuleBook book = book("pass 10.0.0.1 limit 1/h burst 3\ndefault drop");
    try (ElementHarness out =
        new ElementHarness(new RuleFilter(book, OUT, true, Optional.empty()), BUFFERS)) {
      for (int i = 0; i < 5; i++) {
        out.push(udp4().between("10.0.0.1", "192.0.2.1").toBytes());
      }
      assertThat(out.out("out")).hasSize(3);
      assertThat(out.drops()).containsOnly(Map.entry("rule_limit", 2L));
      // A change of other rules begins no new count.
      book.add("drop 10.0.0.2", OptionalInt.of(0));
      out.push(udp4().between("10.0.0.1", "192.0.2.1").toBytes());
      assertThat(out.drops()).containsOnly(Map.entry("rule_limit", 3L));
      assertThat(hits(book)).containsExactly(0L, 6L, 0L, 0L);
    }
  }

  @Test
  void shouldSayWhatIsMissing() {
    RuleBook book = book("pass state established");
    assertThat(new RuleFilter(book, new Direction("a", "b"), true, Optional.empty()).problems())
        .hasSize(2)
        .anyMatch(one -> one.startsWith("rules are for other directions: direction=Direction[in=a"))
        .anyMatch(one -> one.startsWith("rules ask for connections"));
    Tracking tracking = new Tracking(8, TrackSettings.DEFAULT);
    assertThat(new RuleFilter(book, OUT, true, Optional.of(tracking)).problems()).isEmpty();
  }

  @Test
  void shouldNoteWhatARuleDecidesAboutAndHowMuchItLeftOut() {
    ProgramLog log = ProgramLog.current().orElseThrow();
    long before = log.entries().isEmpty() ? 0 : log.entries().getLast().id();
    RuleBook book = book("drop log to 192.0.2.1 udp");
    try (ElementHarness out =
        new ElementHarness(new RuleFilter(book, OUT, true, Optional.empty()), BUFFERS)) {
      for (int i = 0; i < 30; i++) {
        out.push(udp4().between("10.0.0.1", "192.0.2.1").ports(1_000, 53).toBytes());
      }
      assertThat(out.drops()).containsOnly(Map.entry("rule", 30L));
    }
    List<String> noted =
        log.entries().stream()
            .filter(entry -> entry.id() > before && entry.text().startsWith("drop: "))
            .map(LogEntry::text)
            .toList();
    assertThat(noted).hasSizeBetween(10, 29);
    assertThat(noted.getFirst())
        .contains("in=lan, out=wan, ", "source=10.0.0.1:1000, destination=192.0.2.1:53")
        .contains("protocol=udp, ", "rule=drop log to");
  }

  /** The table is full: nothing that is not known passes, and what is known still does. */
  @Test
  void shouldDropWhatBeginsWhereThereIsNoRoom() {
    RuleBook book = book("pass state established,new");
    Optional<Tracking> tracking = Optional.of(new Tracking(8, TrackSettings.DEFAULT));
    try (ElementHarness out =
        new ElementHarness(new RuleFilter(book, OUT, true, tracking), BUFFERS)) {
      for (int i = 0; i < 20; i++) {
        out.push(udp4().between("10.0.0." + i, "192.0.2.1").toBytes());
      }
      assertThat(out.out("out").size() + out.drops().getOrDefault("connections_full", 0L))
          .isEqualTo(20);
      assertThat(out.read("connections")).isEqualTo("8");
    }
  }
}
