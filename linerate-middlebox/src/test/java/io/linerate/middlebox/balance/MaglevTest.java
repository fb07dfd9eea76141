package io.linerate.middlebox.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.linerate.middlebox.balance.Maglev.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MaglevTest {
  private static final int FLOWS = 1_000_000;

  private static List<Share> shares(int count) {
    List<Share> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(new Share(i, 0x0A00_0000_0000L + ((long) i << 16) + 80, 1));
    }
    return shares;
  }

  private static int[] counts(Maglev table, int backends) {
    Random random = new Random(1);
    int[] counts = new int[backends];
    for (int i = 0; i < FLOWS; i++) {
      counts[table.at(random.nextLong())]++;
    }
    return counts;
  }

  @Test
  void shouldGiveAllBackendsTheSameShare() {
    for (int backends : new int[] {1, 2, 3, 10, 100}) {
      double share = (double) FLOWS / backends;
      for (int count : counts(Maglev.of(shares(backends)), backends)) {
        assertThat(count / share).isCloseTo(1, within(0.05));
      }
    }
  }

  @Test
  void shouldGiveSharesByWeight() {
    List<Share> shares =
        List.of(new Share(0, 11, 1), new Share(1, 22, 3), new Share(2, 33, 0), new Share(3, 44, 6));
    int[] counts = counts(Maglev.of(shares), 4);
    assertThat(counts[0] / (FLOWS / 10.0)).isCloseTo(1, within(0.02));
    assertThat(counts[1] / (FLOWS / 10.0)).isCloseTo(3, within(0.02));
    assertThat(counts[2]).isZero();
    assertThat(counts[3] / (FLOWS / 10.0)).isCloseTo(6, within(0.02));
  }

  /** Of those that another backend had hardly any: what Maglev's section 5.3 measures. */
  @Test
  void shouldMoveLittleMoreThanItMust() {
    for (int backends : new int[] {3, 10, 50}) {
      List<Share> all = shares(backends);
      Maglev before = Maglev.of(all);
      Maglev after = Maglev.of(all.subList(0, backends - 1));
      Random random = new Random(2);
      int moved = 0;
      int others = 0;
      for (int i = 0; i < FLOWS; i++) {
        long hash = random.nextLong();
        int was = before.at(hash);
        if (was != after.at(hash)) {
          moved += was == backends - 1 ? 1 : 0;
          others += was == backends - 1 ? 0 : 1;
        }
      }
      assertThat(moved / ((double) FLOWS / backends)).isCloseTo(1, within(0.05));
      assertThat((double) others / FLOWS).as("%d backends", backends).isLessThan(0.05);
    }
  }

  @Test
  void shouldHaveNoBackendWhereNoneHasWeight() {
    assertThat(Maglev.of(List.of()).at(-1)).isEqualTo(Maglev.NONE);
    assertThat(Maglev.of(List.of(new Share(0, 1, 0))).at(5)).isEqualTo(Maglev.NONE);
  }
}
