package io.linerate.wire.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Ipv4TableTest {
  private final Random random = new Random(Soak.seed(1));

  private static Ipv4Table table(NavigableMap<Long, Long> ranges) {
    return new Ipv4Table(
        ranges.keySet().stream().mapToLong(start -> start).toArray(),
        ranges.values().stream().mapToLong(value -> value).toArray());
  }

  @Test
  void shouldHaveOneValueForAllAddresses() {
    Ipv4Table table = table(new TreeMap<>(Map.of(0L, -7L)));
    for (int address : new int[] {0, 1, 63, 64, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThat(table.get(address)).isEqualTo(-7);
    }
  }

  /** Starts near borders of nodes, close together and far apart. */
  @Test
  @Tag("sampled")
  void shouldFindTheRangeOfEachAddress() {
    for (int size : new int[] {1, 2, 10, 100, 1_000, Soak.times(5_000, 300_000)}) {
      for (int spreadBits : new int[] {6, 11, 16, 32}) {
        TreeMap<Long, Long> ranges = new TreeMap<>(Map.of(0L, 0L));
        long near = random.nextLong() & 0xFFFF_FFFFL;
        for (int i = 0; i < size; i++) {
          long start = near ^ (random.nextLong() & ((1L << spreadBits) - 1));
          long aligned = start & -1L << random.nextInt(18);
          ranges.put(aligned, random.nextLong() >> random.nextInt(64));
        }
        check(ranges, near, spreadBits);
      }
    }
  }

  private void check(NavigableMap<Long, Long> ranges, long near, int spreadBits) {
    Ipv4Table table = table(ranges);
    for (int i = 0; i < 1_000; i++) {
      long address = near ^ (random.nextLong() & ((1L << spreadBits) - 1));
      assertThat(table.get((int) address)).isEqualTo(ranges.floorEntry(address).getValue());
    }
    ranges.forEach((start, value) -> {
      assertThat(table.get((int) (long) start)).isEqualTo(value);
      long before = Math.max(0, start - 1);
      assertThat(table.get((int) before)).isEqualTo(ranges.floorEntry(before).getValue());
    });
    assertThat(table.bytes()).isLessThanOrEqualTo(2 * (524_288 + 136L * (ranges.size() + 1)));
  }

  @Test
  void shouldRefuseWhatIsNoTable() {
    assertThatThrownBy(() -> new Ipv4Table(new long[0], new long[0]))
        .hasMessageContaining("starts=0, values=0");
    assertThatThrownBy(() -> new Ipv4Table(new long[] {1}, new long[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Ipv4Table(new long[] {0, 5, 5}, new long[3]))
        .hasMessageContaining("starts[1]=5, starts[2]=5");
    assertThatThrownBy(() -> new Ipv4Table(new long[] {0, 1L << 32}, new long[2]))
        .hasMessageContaining("below 2^32");
  }
}
