package io.linerate.middlebox.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import io.linerate.track.Relation;
import io.linerate.wire.name.DomainName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables find what the scan of all rules finds. */
class RuleMatcherTest {
  private static final int BURST = 64;

  private final Random random = new Random(Soak.seed(14));
  private final RandomRules some = new RandomRules(random);

  private static void add(RuleLookup lookup, int place, RulePacket packet) {
    switch (packet.version()) {
      case 0 -> lookup.addOther(place, packet.vlan(), packet.etherType());
      case 4 ->
          lookup.addIpv4(
              place,
              packet.relation(),
              packet.vlan(),
              packet.flags(),
              packet.sourceLow() << 32 | packet.destinationLow(),
              packet.protocol(),
              packet.ports());
      default ->
          lookup.addIpv6(
              place,
              packet.relation(),
              packet.vlan(),
              packet.flags(),
              packet.sourceHigh(),
              packet.sourceLow(),
              packet.destinationHigh(),
              packet.destinationLow(),
              packet.protocol(),
              packet.ports());
    }
  }

  @Test
  @Tag("sampled")
  void shouldFindTheRuleThatTheScanFinds() {
    int decided = 0;
    for (int set = Soak.times(30, 1_000); set > 0; set--) {
      RuleSet rules = some.rules(1 + random.nextInt(random.nextInt(4) == 0 ? 150 : 20));
      RuleLookup lookup = new RuleLookup(RuleMatcher.of(rules, "left", "right"));
      for (int packets = 0; packets < Soak.times(2_000, 10_000); packets += BURST) {
        List<RulePacket> burst = new ArrayList<>();
        int count = 1 + random.nextInt(BURST);
        lookup.begin(count);
        for (int i = 0; i < count; i++) {
          burst.add(some.packet("left", "right"));
          add(lookup, i, burst.get(i));
        }
        lookup.match();
        for (int i = 0; i < count; i++) {
          int wanted = rules.decide(burst.get(i));
          if (lookup.number(i) != wanted) {
            assertThat(lookup.number(i)).as("%s of %s", burst.get(i), rules).isEqualTo(wanted);
          }
          decided += wanted < rules.defaultIndex() ? 1 : 0;
        }
      }
    }
    assertThat(decided).isPositive();
  }

  /** What is known of all packets of a state holds for each, as the scan finds it. */
  @Test
  @Tag("sampled")
  void shouldKnowWhatDependsOnStatesAlone() {
    int known = 0;
    for (int set = Soak.times(300, 100_000); set > 0; set--) {
      RuleSet rules = some.rules(1 + random.nextInt(6));
      RuleMatcher matcher = RuleMatcher.of(rules, "left", "right");
      for (int i = 0; i < 50; i++) {
        RulePacket packet = some.packet("left", "right");
        int number = matcher.knownIpv4(packet.relation());
        if (number >= 0 && packet.version() == 4 && packet.vlan() == RulePacket.UNTAGGED) {
          assertThat(number).as("%s of %s", packet, rules).isEqualTo(rules.decide(packet));
          known++;
        }
      }
    }
    assertThat(known).isPositive();
  }

  @Test
  @Tag("sampled")
  void shouldFindTheRuleByNameThatTheScanFinds() {
    int decided = 0;
    for (int set = Soak.times(60, 2_000); set > 0; set--) {
      RuleSet rules = some.rules(1 + random.nextInt(60));
      Optional<NameMatcher> matcher = NameMatcher.of(rules, "left", "right");
      for (int i = 0; i < Soak.times(500, 5_000); i++) {
        RulePacket packet = some.packet("left", "right");
        String name = RandomRules.ASKED.get(random.nextInt(RandomRules.ASKED.size()));
        int wanted = packet.version() == 0 ? rules.defaultIndex() : rules.decide(packet, name);
        int found = find(matcher, packet, name, rules.defaultIndex());
        if (found != wanted) {
          assertThat(found).as("%s %s of %s", name, packet, rules).isEqualTo(wanted);
        }
        decided += wanted < rules.defaultIndex() ? 1 : 0;
      }
    }
    assertThat(decided).isPositive();
  }

  private static int find(
      Optional<NameMatcher> matcher, RulePacket packet, String name, int defaultIndex) {
    if (matcher.isEmpty() || packet.version() == 0) {
      return defaultIndex;
    }
    NameLookup names = new NameLookup(matcher.get());
    RuleLookup ofAll = names.ofAll();
    ofAll.begin(1);
    add(ofAll, 0, packet);
    ofAll.match();
    RuleLookup lookup = names.of(DomainName.of(name));
    if (lookup == null) {
      return defaultIndex;
    }
    lookup.begin(1);
    add(lookup, 0, packet);
    lookup.match();
    assertThat(lookup.isDecided(0)).isEqualTo(lookup.number(0) < defaultIndex);
    if (lookup.isDecided(0)) {
      assertThat(ofAll.isDecided(0)).as("asked for at all").isTrue();
    }
    return lookup.number(0);
  }

  @Test
  void shouldFindManyNames() {
    String names =
        IntStream.range(0, 20_000)
            .mapToObj(i -> (i % 3 == 0 ? "*." : "") + "host" + i + ".example")
            .collect(Collectors.joining(","));
    RuleSet rules = RulesFile.parse("rules", "drop name " + names, _ -> {});
    NameLookup lookup = new NameLookup(NameMatcher.of(rules, "a", "b").orElseThrow());
    for (int i = 0; i < 20_010; i++) {
      boolean isBelow = i % 3 == 0;
      boolean isThere = i < 20_000;
      String name = "host" + i + ".example";
      assertThat(lookup.of(DomainName.of(name)) != null).isEqualTo(isThere && !isBelow);
      assertThat(lookup.of(DomainName.of("x." + name)) != null).isEqualTo(isThere && isBelow);
    }
  }

  /** The usual first rule asks no table, and what begins asks those of the rules behind it. */
  @Test
  void shouldKnowBeforehandWhatIsAboutAllOfAState() {
    RuleSet rules =
        RulesFile.parse(
            "rules",
            """
            pass state established,related
            drop state invalid
            pass to 192.0.2.1 port 80 tcp state new
            """,
            _ -> {});
    RuleMatcher matcher = RuleMatcher.of(rules, "a", "b");
    assertThat(matcher.general(Relation.ESTABLISHED).known(4)).isZero();
    assertThat(matcher.general(Relation.RELATED).known(6)).isZero();
    assertThat(matcher.general(Relation.INVALID).known(4)).isEqualTo(1);
    assertThat(matcher.general(Relation.NEW).isKnown(4)).isFalse();
    assertThat(matcher.general(Relation.NEW).known(6)).isEqualTo(RuleList.NONE);
    assertThat(matcher.special(Relation.NEW, 5, 0).known(4)).isEqualTo(RuleList.NONE);
  }

  @Test
  void shouldForgetABurstThatEndedInAFailure() {
    RuleSet rules = RulesFile.parse("rules", "drop from 10.0.0.0/8", _ -> {});
    RuleLookup lookup = new RuleLookup(RuleMatcher.of(rules, "a", "b"));
    lookup.begin(2);
    lookup.addIpv4(0, Relation.NEW, 0, 0, 0x0A00_0001_0000_0000L, 6, 0);
    lookup.begin(3);
    lookup.addIpv4(0, Relation.NEW, 0, 0, 0x0B00_0001_0000_0000L, 6, 0);
    lookup.addIpv4(2, Relation.NEW, 0, 0, 0x0A00_0001_0000_0000L, 6, 0);
    lookup.match();
    assertThat(lookup.number(0)).isEqualTo(1);
    assertThat(lookup.number(2)).isZero();
  }
}
