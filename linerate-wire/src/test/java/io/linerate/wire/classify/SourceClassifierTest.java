package io.linerate.wire.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import io.linerate.wire.Ipv4Prefix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceClassifierTest {
  private static final int NONE = 1_000_000;

  private final Random random = new Random(Soak.seed(3));

  /** One after the other, as the rules are written. */
  private static int scan(List<SourceRule> rules, int source, int protocol, int noMatch) {
    int first = noMatch;
    for (SourceRule rule : rules) {
      boolean isSource = rule.source().contains(new Ipv4Prefix(source, 32));
      boolean isProtocol = rule.protocol() < 0 || rule.protocol() == protocol;
      if (isSource && isProtocol && (first == noMatch || rule.number() < first)) {
        first = rule.number();
      }
    }
    return first;
  }

  private List<SourceRule> rules(int size, int protocols, int firstNumber) {
    List<SourceRule> rules = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int bits = random.nextInt(33);
      int address = (int) (address() & (0xFFFF_FFFF_0000_0000L >> bits));
      int protocol = random.nextInt(protocols + 1) - 1;
      rules.add(new SourceRule(new Ipv4Prefix(address, bits), protocol, firstNumber + i));
    }
    Collections.shuffle(rules, random);
    return rules;
  }

  /** In few networks, so that rules lie inside others. */
  private int address() {
    return random.nextInt() & 0x0301_8307;
  }

  private void check(List<SourceRule> rules, int noMatch) {
    SourceClassifier classifier = new SourceClassifier(rules, noMatch);
    int count = 100;
    long[] keys = new long[count];
    int[] numbers = new int[count];
    for (int round = 0; round < Soak.times(10, 1_000); round++) {
      for (int i = 0; i < count; i++) {
        long rest = random.nextLong() & 0x7F00_FFFF_0000_0000L;
        long protocol = (long) random.nextInt(8) << SourceClassifier.PROTOCOL_SHIFT;
        boolean isKnown = random.nextInt(10) == 0;
        keys[i] = isKnown ? -9 : rest | protocol | (address() & 0xFFFF_FFFFL);
      }
      classifier.match(keys, count, numbers);
      for (int i = 0; i < count; i++) {
        int protocol = (int) (keys[i] >>> SourceClassifier.PROTOCOL_SHIFT) & 0xFF;
        int expected = keys[i] < 0 ? -9 : scan(rules, (int) keys[i], protocol, noMatch);
        assertThat(numbers[i]).isEqualTo(expected);
        if (keys[i] >= 0) {
          assertThat(classifier.match(keys[i])).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleOfFewProtocols() {
    for (int size : new int[] {0, 1, 2, 30, 300}) {
      check(rules(size, 0, 0), size);
      check(rules(size, 3, 5), 4);
    }
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleWhateverTheNumbers() {
    check(rules(300, 1, 65_000), NONE);
    check(rules(300, 3, 65_000), NONE);
    check(rules(300, 3, -150), NONE);
    check(rules(300, 1, 0), -1);
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleOfManyProtocols() {
    check(rules(300, 7, 0), NONE);
    check(rules(300, 256, 0), 300);
  }

  @Test
  void shouldTellHowLargeItIs() {
    assertThat(new SourceClassifier(List.of(), 0).bytes()).isBetween(500_000L, 2_000_000L);
  }

  @Test
  void shouldRefuseARuleWithTheNumberOfNone() {
    assertThatThrownBy(
            () -> new SourceClassifier(List.of(new SourceRule(Ipv4Prefix.ANY, -1, 4)), 4))
        .hasMessageContaining("number=4");
  }

  @Test
  void shouldRefuseWhatIsNoRule() {
    assertThatThrownBy(() -> new Ipv4Prefix(0, 33)).hasMessageContaining("bits=33");
    assertThatThrownBy(() -> new Ipv4Prefix(0x0A00_0001, 31))
        .hasMessageContaining("address=10.0.0.1, bits=31");
    assertThatThrownBy(() -> new SourceRule(Ipv4Prefix.ANY, 256, 0))
        .hasMessageContaining("protocol=256");
  }
}
