package io.linerate.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostTableTest {
  private static final int CAPACITY = 16;

  /** Also where 64 bits do not tell hosts apart, as happens to who knows the table's secret. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("sampled")
  void shouldKnowHostsAsLongAsTheyHaveMappings(boolean isColliding) {
    long seed = Soak.seed(5);
    SplittableRandom secrets = new SplittableRandom(seed);
    secrets.nextLong(); // That of its map.
    long high = isColliding ? secrets.nextLong() : 0x2001_0DB8L << 32;
    HostTable hosts = new HostTable(CAPACITY, new SplittableRandom(seed));
    Random random = new Random(seed);
    Map<Long, Integer> expected = new HashMap<>();
    for (int i = Soak.times(5_000, 500_000); i > 0; i--) {
      long low = random.nextInt(40);
      int known = hosts.find(high, low);
      assertThat(known != HostTable.NONE).isEqualTo(expected.containsKey(low));
      if (known != HostTable.NONE) {
        assertThat(hosts.mappings(known)).isEqualTo(expected.get(low));
        assertThat(hosts.low(known)).isEqualTo(low);
        assertThat(hosts.high(known)).isEqualTo(high);
      }
      if (known != HostTable.NONE && random.nextBoolean()) {
        hosts.end(known);
        expected.merge(low, -1, (a, b) -> a + b == 0 ? null : a + b);
      } else if (known != HostTable.NONE || expected.size() < CAPACITY) {
        hosts.begin(high, low);
        expected.merge(low, 1, Integer::sum);
      }
    }
    assertThat(expected).isNotEmpty();
  }
}
