package io.linerate.apps.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hash decides as a scan from the first rule to the last does, whatever stands between. */
class ManyRulesTest {
  private static final int PROTOCOL_SHIFT = 48;

  private final Random random = new Random(Soak.seed(7));

  @Test
  @Tag("sampled")
  void shouldDecideAsTheScanDoesWhenOnlyAddressesAreNamed() {
    for (int size : new int[] {1, 8, 9, 10, 100, 1_000}) {
      check(rules(size, 0, 3));
      check(rules(size, 0, 0));
      check(rules(size, 0, 1));
    }
  }

  @Test
  @Tag("sampled")
  void shouldDecideAsTheScanDoesWhenPrefixesStandBetween() {
    for (int size : new int[] {10, 30, 100, 500}) {
      check(rules(size, 3, 3));
      check(rules(size, 2, 0));
    }
  }

  @Test
  void shouldFindEachOfManyAddressesAndNoOther() {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      rules.add(new Rule(i + 1, "", false, new Source(4, 0, 2L * i, 32), -1));
    }
    RuleTable table = new RuleTable(rules);
    long[] keys = new long[256];
    int[] verdicts = new int[keys.length];
    for (int start = 0; start < 200_000; start += keys.length) {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = start + i | 17L << PROTOCOL_SHIFT;
      }
      table.match(keys, keys.length, verdicts);
      for (int i = 0; i < keys.length; i++) {
        int address = start + i;
        boolean isNamed = address % 2 == 0 && address < 200_000;
        assertThat(verdicts[i]).isEqualTo(isNamed ? address / 2 : rules.size());
      }
    }
  }

  /**
   * @param prefixes one in so many names a prefix; 0: none does
   * @param protocols one in so many is for all protocols; 0: all are
   */
  private List<Rule> rules(int size, int prefixes, int protocols) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      boolean isExact = prefixes == 0 || random.nextInt(prefixes) > 0;
      boolean isForAll = protocols == 0 || random.nextInt(protocols) > 0;
      Source source = new Source(4, 0, address(size), isExact ? 32 : 24 + random.nextInt(8));
      rules.add(new Rule(i + 1, "", random.nextBoolean(), source, isForAll ? -1 : protocol()));
    }
    return rules;
  }

  /** Few enough to be met again. */
  private long address(int size) {
    return 0xC0A8_0000L + random.nextInt(2 * size);
  }

  private int protocol() {
    return new int[] {0, 6, 17, 255}[random.nextInt(4)];
  }

  private void check(List<Rule> rules) {
    RuleTable table = new RuleTable(rules);
    int count = 64;
    int rounds = Soak.times(40, 4_000);
    for (int round = 0; round < rounds; round++) {
      long[] keys = new long[count];
      for (int i = 0; i < count; i++) {
        boolean isKnown = random.nextInt(8) == 0;
        keys[i] = isKnown ? -7 : address(rules.size()) | (long) protocol() << PROTOCOL_SHIFT;
      }
      int[] verdicts = new int[count];
      table.match(keys, count, verdicts);
      for (int i = 0; i < count; i++) {
        int expected = keys[i] < 0 ? -7 : scan(rules, keys[i]);
        assertThat(verdicts[i]).as("key=%x", keys[i]).isEqualTo(expected);
        if (keys[i] >= 0) {
          assertThat(table.match(keys[i])).isEqualTo(expected);
        }
      }
    }
  }

  private static int scan(List<Rule> rules, long key) {
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      int shift = 32 - rule.source().prefixBits();
      boolean isSource = (key & 0xFFFF_FFFFL) >>> shift == rule.source().low() >>> shift;
      if (isSource && (rule.protocol() < 0 || rule.protocol() == key >>> PROTOCOL_SHIFT)) {
        return i;
      }
    }
    return rules.size();
  }
}
