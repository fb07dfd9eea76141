package io.linerate.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuelOrderTest {
  @TempDir Path folder;

  /** Answers each order at once with so many packets a microsecond, and writes its name down. */
  private Contestant contestant(String name, int packets) {
    String program =
        "echo ready; while read order; do echo %s >>%s; echo 1000 %d 0 0; done"
            .formatted(name, folder.resolve("order"), packets);
    return Contestant.start(List.of("sh", "-c", program));
  }

  @Test
  void shouldChangeTheOrderFromPairToPair() throws Exception {
    try (Contestant java = contestant("java", 3);
        Contestant c = contestant("c", 4)) {
      SequencedMap<String, Contestant> both = new LinkedHashMap<>();
      both.put("java", java);
      both.put("c", c);
      Duel duel = Duel.fight(both, 3, 1, 0);
      assertThat(Files.readAllLines(folder.resolve("order")))
          .containsExactly("java", "c", "c", "java", "java", "c");
      assertThat(duel.rates("java").samples()).containsExactly(3, 3, 3);
      assertThat(duel.rates("c").samples()).containsExactly(4, 4, 4);
    }
  }

  @Test
  void shouldKeepTheRoundsOfSeveralDuelsInOrder() {
    Duel first = new Duel(Map.of("java", samples(1, 2), "c", samples(3, 4)));
    Duel second = new Duel(Map.of("c", samples(8, 10), "java", samples(5, 6)));
    Duel both = Duel.together(List.of(first, second));
    assertThat(both.rates("java").samples()).containsExactly(1, 2, 5, 6);
    assertThat(both.rates("c").samples()).containsExactly(3, 4, 8, 10);
    assertThat(both.heapBytesPerPacket("c")).isEqualTo(12.0 / 25);
  }

  private static List<Sample> samples(int first, int second) {
    return List.of(sample(first), sample(second));
  }

  private static Sample sample(int packets) {
    return new Sample(1_000, packets, 0, packets, packets / 2);
  }
}
