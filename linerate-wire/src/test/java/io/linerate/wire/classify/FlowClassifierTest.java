package io.linerate.wire.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.testkit.Soak;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FlowClassifierTest {
  private static final int NONE = 1_000_000;
  private static final int BURST = 100;

  private final Random random = new Random(Soak.seed(5));
  private final FlowBatch batch = new FlowBatch(BURST);

  private record Flow(int source, int destination, int protocol, int sourcePort, int port) {}

  /** One after the other, as the rules are written. */
  private static int scan(List<FlowRule> rules, Flow flow, int noMatch) {
    Ipv4Prefix source = new Ipv4Prefix(flow.source, 32);
    return scan(rules, flow, source, new Ipv4Prefix(flow.destination, 32), noMatch);
  }

  private static int scan(
      List<FlowRule> rules, Flow flow, IpPrefix source, IpPrefix destination, int noMatch) {
    return rules.stream()
        .filter(rule ->
            rule.source().contains(source)
                && rule.destination().contains(destination)
                && rule.sourcePorts().first() <= flow.sourcePort
                && rule.sourcePorts().last() >= flow.sourcePort
                && rule.destinationPorts().first() <= flow.port
                && rule.destinationPorts().last() >= flow.port
                && (rule.protocol() < 0 || rule.protocol() == flow.protocol))
        .mapToInt(FlowRule::number)
        .min()
        .orElse(noMatch);
  }

  /** In few networks, so that rules lie inside others. */
  private int address() {
    return random.nextInt() & 0x0301_8307;
  }

  private Ipv4Prefix prefix() {
    int bits = random.nextInt(5) == 0 ? 0 : random.nextInt(33);
    return new Ipv4Prefix((int) (address() & (0xFFFF_FFFF_0000_0000L >> bits)), bits);
  }

  private int port() {
    return random.nextBoolean() ? random.nextInt(8) : 65_535 - random.nextInt(8);
  }

  private PortRange ports() {
    int one = port();
    int other = random.nextBoolean() ? one : port();
    return random.nextInt(3) == 0
        ? PortRange.ANY
        : new PortRange(Math.min(one, other), Math.max(one, other));
  }

  private List<FlowRule> rules(int size, int firstNumber) {
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int protocol = random.nextInt(8) - 1;
      rules.add(new FlowRule(prefix(), prefix(), ports(), ports(), protocol, firstNumber + i));
    }
    Collections.shuffle(rules, random);
    return rules;
  }

  private void check(FlowClassifier classifier, List<FlowRule> rules, int noMatch) {
    for (int round = 0; round < Soak.times(10, 1_000); round++) {
      List<Flow> flows = new ArrayList<>();
      batch.clear();
      for (int i = 0; i < BURST; i++) {
        Flow flow = new Flow(address(), address(), random.nextInt(8), port(), port());
        flows.add(flow);
        batch.add(
            (long) flow.source << 32 | Integer.toUnsignedLong(flow.destination),
            flow.protocol,
            flow.sourcePort << 16 | flow.port);
      }
      classifier.match(batch);
      for (int i = 0; i < BURST; i++) {
        assertThat(batch.number(i)).isEqualTo(scan(rules, flows.get(i), noMatch));
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRule() {
    for (int size : new int[] {0, 1, 2, 30, 300}) {
      List<FlowRule> rules = rules(size, 0);
      check(new FlowClassifier(rules, NONE), rules, NONE);
    }
    List<FlowRule> rules = rules(30, -15);
    check(new FlowClassifier(rules, 15), rules, 15);
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleWithoutPortsOfTheSource() {
    List<FlowRule> rules = new ArrayList<>();
    for (FlowRule each : rules(100, 0)) {
      rules.add(
          new FlowRule(
              each.source(),
              each.destination(),
              PortRange.ANY,
              each.destinationPorts(),
              each.protocol(),
              each.number()));
    }
    check(new FlowClassifier(rules, NONE), rules, NONE);
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleInTablesOfHalvesOfThem() {
    List<FlowRule> rules = rules(100, 0);
    FlowClassifier whole = new FlowClassifier(rules, NONE);
    FlowClassifier parts = new FlowClassifier(rules, NONE, 10_000);
    check(parts, rules, NONE);
    assertThat(parts.bytes()).isGreaterThan(whole.bytes());
    assertThat(whole.tables()).isOne();
    assertThat(parts.tables()).isGreaterThan(1);
  }

  @Test
  void shouldFindTheRuleOfEachOfManyPorts() {
    int size = 10_000;
    List<FlowRule> rules = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rules.add(
          new FlowRule(Ipv4Prefix.ANY, Ipv4Prefix.ANY, PortRange.ANY, PortRange.of(3 * i), 6, i));
    }
    FlowClassifier classifier = new FlowClassifier(rules, NONE);
    for (int i = 0; i < size; i++) {
      batch.clear();
      batch.add(random.nextLong(), 6, random.nextInt() << 16 | 3 * i);
      batch.add(random.nextLong(), 6, random.nextInt() << 16 | 3 * i + 1);
      batch.add(random.nextLong(), 17, random.nextInt() << 16 | 3 * i);
      classifier.match(batch);
      assertThat(batch.number(0)).isEqualTo(i);
      assertThat(batch.number(1)).isEqualTo(NONE);
      assertThat(batch.number(2)).isEqualTo(NONE);
    }
  }

  @Test
  void shouldRefuseWhatIsNoRule() {
    assertThatThrownBy(() -> new PortRange(5, 4)).hasMessageContaining("first=5, last=4");
    assertThatThrownBy(() -> PortRange.of(65_536)).hasMessageContaining("last=65536");
    assertThatThrownBy(() -> rule(256, 0)).hasMessageContaining("protocol=256");
    assertThatThrownBy(() -> rule(0, Integer.MAX_VALUE)).hasMessageContaining("number=2147483647");
    assertThatThrownBy(() -> new FlowClassifier(List.of(rule(0, 7)), 7))
        .hasMessageContaining("number=7");
  }

  private static FlowRule rule(int protocol, int number) {
    return new FlowRule(
        Ipv4Prefix.ANY, Ipv4Prefix.ANY, PortRange.ANY, PortRange.ANY, protocol, number);
  }

  @Test
  void shouldRefuseMoreFlowsThanABatchCanHave() {
    FlowBatch one = new FlowBatch(1);
    one.add(0, 6, 0);
    assertThatThrownBy(() -> one.add(0, 6, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> one.number(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(one.count()).isEqualTo(1);
  }

  /** The same address of IPv6 as of IPv4, with its bytes far apart. */
  private static long high(int address) {
    return 0x2001_0DB8L << 32 | Integer.toUnsignedLong(address >>> 16) << 8;
  }

  private static long low(int address) {
    return (address & 0xFFFFL) << 40 | 7;
  }

  private Ipv6Prefix prefix6() {
    int address = address();
    int bits = random.nextInt(5) == 0 ? 0 : random.nextInt(129);
    return Ipv6Prefix.of(high(address), low(address), bits);
  }

  @Test
  @Tag("sampled")
  void shouldFindTheFirstRuleOfIpv6() {
    FlowBatch batch6 = FlowBatch.ofIpv6(BURST);
    for (int size : new int[] {0, 1, 30, 300}) {
      List<FlowRule> rules = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        int protocol = random.nextInt(8) - 1;
        rules.add(new FlowRule(prefix6(), prefix6(), ports(), ports(), protocol, i));
      }
      FlowClassifier classifier = new FlowClassifier(rules, NONE);
      for (int round = 0; round < Soak.times(10, 1_000); round++) {
        batch6.clear();
        List<Integer> wanted = new ArrayList<>();
        for (int i = 0; i < BURST; i++) {
          Flow flow = new Flow(address(), address(), random.nextInt(8), port(), port());
          Ipv6Prefix source = new Ipv6Prefix(high(flow.source), low(flow.source), 128);
          Ipv6Prefix target = new Ipv6Prefix(high(flow.destination), low(flow.destination), 128);
          batch6.addIpv6(
              source.high(),
              source.low(),
              target.high(),
              target.low(),
              flow.protocol,
              flow.sourcePort << 16 | flow.port);
          wanted.add(scan(rules, flow, source, target, NONE));
        }
        classifier.match(batch6);
        for (int i = 0; i < BURST; i++) {
          assertThat(batch6.number(i)).isEqualTo(wanted.get(i));
        }
      }
    }
  }

  @Test
  void shouldRefuseBothVersionsOfIpTogether() {
    FlowRule four = rule(6, 1);
    FlowRule six =
        new FlowRule(Ipv6Prefix.ANY, Ipv6Prefix.ANY, PortRange.ANY, PortRange.ANY, -1, 2);
    assertThatThrownBy(() -> new FlowClassifier(List.of(four, six), 3))
        .hasMessage("rules of both versions of IP: rules=2; make a classifier for each");
    FlowClassifier classifier = new FlowClassifier(List.of(six), 3);
    assertThatThrownBy(() -> classifier.match(batch))
        .hasMessage("batch has another version of IP: batch=4, wanted=6; make one of each");
    assertThatThrownBy(
            () -> new FlowRule(Ipv4Prefix.ANY, Ipv6Prefix.ANY, PortRange.ANY, PortRange.ANY, 6, 1))
        .hasMessageContaining("not a flow: source=0.0.0.0/0, destination=::/0;");
  }
}
