package io.linerate.apps.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RuleTableTest {
  private static final int[] PREFIXES_V4 = {0, 1, 8, 24, 30, 31, 32};
  private static final int[] PREFIXES_V6 = {0, 1, 63, 64, 65, 127, 128};

  private final Random random = new Random(Soak.seed(1));

  /** Few different bits, so that addresses match often. */
  private long bits() {
    return random.nextLong() & 0x8000_0001_8000_0003L;
  }

  private Rule rule(int line) {
    boolean isV4 = random.nextBoolean();
    int prefix = (isV4 ? PREFIXES_V4 : PREFIXES_V6)[random.nextInt(PREFIXES_V4.length)];
    Source source =
        isV4
            ? new Source(4, 0, bits() & 0xFFFF_FFFFL, prefix)
            : new Source(6, bits(), bits(), prefix);
    return new Rule(line, "", false, source, random.nextInt(4) == 0 ? -1 : random.nextInt(3));
  }

  /** The same with numbers of any size: compares what is in front of the bits that do not count. */
  private static boolean matches(Rule rule, int version, long high, long low, int protocol) {
    Source source = rule.source();
    int shift = (version == 4 ? 32 : 128) - source.prefixBits();
    return source.version() == version
        && number(source.high(), source.low())
            .shiftRight(shift)
            .equals(number(high, low).shiftRight(shift))
        && (rule.protocol() < 0 || rule.protocol() == protocol);
  }

  private static BigInteger number(long high, long low) {
    return new BigInteger(Long.toUnsignedString(high))
        .shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(low)));
  }

  private static int firstMatch(List<Rule> rules, int version, long high, long low, int protocol) {
    for (int i = 0; i < rules.size(); i++) {
      if (matches(rules.get(i), version, high, low, protocol)) {
        return i;
      }
    }
    return rules.size();
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleThatMatches() {
    for (int size : new int[] {0, 1, 2, 3, 7, 8, 9, 31, 64, 100, 1_000}) {
      List<Rule> rules = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        rules.add(rule(i + 1));
      }
      RuleTable table = new RuleTable(rules);
      int packets = Soak.times(300, 30_000);
      for (int i = 0; i < packets; i++) {
        int protocol = random.nextInt(4) - 1;
        long high = bits();
        long low = bits();
        long v4 = low & 0xFFFF_FFFFL;
        if (protocol >= 0) {
          long notInKey = bits() & ~RuleTable.KEY_MASK;
          assertThat(table.match(notInKey | v4 | (long) protocol << 48))
              .isEqualTo(firstMatch(rules, 4, 0, v4, protocol));
        }
        assertThat(table.match(high, low, protocol))
            .isEqualTo(firstMatch(rules, 6, high, low, protocol));
      }
    }
  }

  @Test
  void shouldFindTheSameForManyKeysTogether() {
    for (int size : new int[] {0, 1, 7, 20, 21, 100}) {
      List<Rule> rules = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        rules.add(rule(i + 1));
      }
      RuleTable table = new RuleTable(rules);
      for (int count : new int[] {1, 5, 32, 33, 300}) {
        long[] keys = new long[count];
        int[] verdicts = new int[count];
        for (int i = 0; i < count; i++) {
          boolean left = random.nextInt(10) == 0;
          keys[i] =
              left ? Long.MIN_VALUE | i : (bits() & 0xFFFF_FFFFL) | (long) random.nextInt(4) << 48;
        }
        table.match(keys, count, verdicts);
        for (int i = 0; i < count; i++) {
          assertThat(verdicts[i]).isEqualTo(keys[i] < 0 ? i : table.match(keys[i]));
        }
      }
    }
  }

  @Test
  void shouldNotTakeAnUnknownProtocolForAnyOther() {
    List<Rule> rules = new ArrayList<>();
    rules.add(new Rule(1, "", false, new Source(6, 0, 0, 0), 255));
    assertThat(new RuleTable(rules).match(1, 1, -1)).isEqualTo(1);
    assertThat(new RuleTable(rules).match(1, 1, 255)).isZero();
  }
}
