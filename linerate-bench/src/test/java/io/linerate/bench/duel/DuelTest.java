package io.linerate.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.bench.suite.RecordingSession;
import io.linerate.bench.suite.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short duels: both sides do the same, and Java makes no objects. Not about who is faster. */
class DuelTest {
  private static final int ROUNDS = 3;
  private static final int SLICE_MS = 100;
  private static final int WARM_UP_MS = 4_000;
  private static final int FRAMES = 500;
  private static final int UDP = 17;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() throws IOException {
    RecordingSession.requireLab("capture");
  }

  private RecordingSession session() {
    return new RecordingSession(folder, "");
  }

  private static Match capture() {
    return new Match(
        "capture", "capture", Feed.nothing(64), 32, List.of(), Map.of(Match.C, List.of()));
  }

  private Match firewall(Map<String, List<String>> twins, String... rules) {
    Path file = TextFiles.write(folder.resolve("rules"), List.of(rules));
    return new Match("firewall", "firewall", Feed.nothing(64), 32, List.of(file), twins);
  }

  /** From 10.0.0.0 to 10.0.0.9 in turn, one in ten of which is ARP instead. */
  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      frames.add(
          i % 10 == 7 ? PcapFrames.arp() : PcapFrames.frame(0x0A000000 + i % 10, UDP, 64 + i));
    }
    return frames;
  }

  @Test
  void shouldCountTheSamePackets() {
    assertThat(Check.run(capture(), session(), frames()))
        .startsWith("received=500, sent=0, dropped=500, sizes=[0, 51, ")
        .endsWith("protocols=[0, 450, 0]");
  }

  @Test
  void shouldForwardTheSamePacketsInAllWaysOfMatching() {
    Map<String, List<String>> twins = new LinkedHashMap<>();
    twins.put("c", List.of("match=linear"));
    twins.put("c-usual", List.of("match=plain"));
    twins.put("c-hash", List.of("match=rte_hash"));
    twins.put("c-trie", List.of("match=trie"));
    String[] rules = new String[12];
    for (int i = 0; i < rules.length; i++) {
      rules[i] = (i % 3 == 0 ? "drop" : "pass") + " 10.0.0." + i + " udp";
    }
    assertThat(Check.run(firewall(twins, rules), session(), frames()))
        .startsWith("received=500, sent=250, dropped=250, hits=")
        .contains("250 frames");
  }

  @Test
  void shouldRefuseContestantsThatForwardOtherPackets() {
    Path other = TextFiles.write(folder.resolve("other"), List.of("drop 10.0.0.4/31"));
    Match unequal = firewall(Map.of("c", List.of("rules=" + other)), "drop 10.0.0.2/31");
    assertThatThrownBy(() -> Check.run(unequal, session(), frames()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("contestants did not do the same");
  }

  @Test
  @Tag("soak")
  void shouldCompareCapturesWithoutMakingObjects() {
    Duel duel = fight(capture());
    assertThat(duel.sentShare("c")).isZero();
    assertThat(duel.sentShare("java")).isZero();
  }

  @Test
  @Tag("soak")
  void shouldCompareFirewallsThatForwardEverything() {
    Duel duel = fight(firewall(Map.of("c", List.of("match=linear")), "drop 192.168.0.0/31 tcp"));
    assertThat(duel.sentShare("c")).isBetween(0.9, 1.1);
    assertThat(duel.sentShare("java")).isBetween(0.9, 1.1);
  }

  @Test
  @Tag("soak")
  void shouldStartFreshJvmsForACaseOnNetNull() {
    RecordingSession session = session();
    DuelRunner runner = new DuelRunner(session, "capture");
    Result result = runner.fight(capture(), 2_000, _ -> {}).orElseThrow();
    assertThat(result.jvms()).isEqualTo(session.jvms());
    assertThat(result.ratio().orElseThrow().samples()).hasSize(session.jvms());
    assertThat(result.contestants().values())
        .allSatisfy(rates -> assertThat(rates.samples()).hasSize(session.jvms() * session.pairs()));
    assertThat(session.results()).containsOnlyKeys("capture");
  }

  private Duel fight(Match match) {
    try (Ring ring = Ring.open(match, session())) {
      Duel duel;
      int fights = 0;
      do { // An object has 16 bytes or more: late compilation makes some, but not one for each
        // packet.
        duel = Duel.fight(ring.contestants(), ROUNDS, SLICE_MS, WARM_UP_MS);
      } while (duel.heapBytesPerPacket("java") >= 1 && ++fights < 20);
      assertThat(duel.heapBytesPerPacket("java")).isLessThan(1);
      for (String name : match.contestants()) {
        // In one slice or another: a busy machine may give a contestant nothing of a short one.
        assertThat(duel.of(name)).extracting(Sample::received).anyMatch(packets -> packets > 0);
      }
      return duel;
    }
  }
}
