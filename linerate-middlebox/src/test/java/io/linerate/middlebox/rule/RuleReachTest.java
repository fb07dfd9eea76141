package io.linerate.middlebox.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.middlebox.rule.RuleReach.Unreached;
import io.linerate.testkit.Soak;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is said never to decide never does, and what plainly never does is said. */
class RuleReachTest {
  private static final List<Direction> WAYS =
      List.of(new Direction("lan", "wan"), new Direction("wan", "lan"));

  private static List<Unreached> unreached(String rules) {
    return RuleReach.find(RulesFile.parse("r", rules, _ -> {}), WAYS);
  }

  private static Unreached shadowed(int index, Integer... by) {
    return new Unreached(index, List.of(by), true);
  }

  private static Unreached redundant(int index, Integer... by) {
    return new Unreached(index, List.of(by), false);
  }

  @Test
  void shouldNameTheRuleThatMatchesAllBefore() {
    assertThat(unreached("pass 10.0.0.0/8\ndrop 10.1.2.3")).containsExactly(shadowed(1, 0));
    assertThat(unreached("drop 10.0.0.0/8\ndrop 10.1.2.3 tcp port 80"))
        .containsExactly(redundant(1, 0));
    assertThat(unreached("pass tcp flags S/S\ndrop tcp flags S/SA\nreject tcp flags /S"))
        .containsExactly(shadowed(1, 0));
    assertThat(unreached("pass in lan\ndrop in lan out wan")).containsExactly(shadowed(1, 0));
    assertThat(unreached("nonip pass arp,lldp\nnonip drop arp")).containsExactly(shadowed(1, 0));
    assertThat(unreached("pass state new,established vlan 5\ndrop state new vlan 5,6")).isEmpty();
  }

  @Test
  void shouldNameRulesThatTogetherMatchAllBefore() {
    assertThat(
            unreached(
                """
                drop tcp port 1-1000
                drop from 192.0.2.0/24
                drop tcp port 1001-2000
                drop tcp port 500-1500
                pass tcp port 500-2000
                """))
        .containsExactly(redundant(3, 0, 2), shadowed(4, 0, 2));
    assertThat(unreached("pass ip tcp\npass ip6\ndrop tcp port 80"))
        .containsExactly(shadowed(2, 0, 1));
    assertThat(
            unreached(
                """
                pass state new,established,related,invalid
                pass state untracked
                drop tcp
                """))
        .containsExactly(shadowed(2, 0, 1));
  }

  /** What a rule about IPv4 says of IPv6 besides is no reason to keep it. */
  @Test
  void shouldLookAtWhatIsWritten() {
    assertThat(unreached("drop 10.0.0.0/8\npass ::ffff:10.1.2.3")).containsExactly(shadowed(1, 0));
    assertThat(unreached("pass from 10.0.0.0/8\ndrop to 10.0.0.1 from 10.1.2.3"))
        .containsExactly(shadowed(1, 0));
  }

  @Test
  void shouldNameWhatIsAboutNoWayOfPackets() {
    assertThat(unreached("pass in lan out lan\npass in wan")).containsExactly(redundant(0));
  }

  @Test
  void shouldNameADefaultThatIsNeverReached() {
    assertThat(unreached("pass from 10.0.0.0/8\ndrop from any\ndefault reject"))
        .containsExactly(shadowed(2, 1));
    assertThat(unreached("drop from any")).isEmpty();
  }

  /** They leave packets of other names, and others leave them what these pass. */
  @Test
  void shouldLeaveRulesByNameAlone() {
    assertThat(
            unreached(
                """
                drop name *.example
                drop name a.example
                pass from any
                drop from 10.0.0.1 name b.example
                """))
        .isEmpty();
    assertThat(unreached("drop tcp name a.example\ndrop tcp\npass tcp port 80"))
        .containsExactly(shadowed(2, 1));
    assertThat(unreached("drop in lan out lan name a.example")).containsExactly(redundant(0));
  }

  @Test
  @Tag("sampled")
  void shouldBeRightAboutEachRuleThatItNames() {
    RandomRules some = new RandomRules(new Random(Soak.seed(15)));
    int named = 0;
    for (int i = Soak.times(30, 1_000); i > 0; i--) {
      RuleSet rules = some.rules(20);
      List<Integer> unreached =
          RuleReach.find(rules, List.of(new Direction("left", "right"))).stream()
              .map(Unreached::index)
              .toList();
      named += unreached.size();
      for (int packets = 0; packets < Soak.times(1_000, 10_000); packets++) {
        RulePacket packet = some.packet("left", "right");
        if (packet.version() != 6 || !isForm(packet)) {
          assertThat(unreached).doesNotContain(rules.decide(packet));
        }
      }
    }
    assertThat(named).isPositive();
  }

  /** Of an address of IPv4, see {@link Prefixes#formsOf}. */
  private static boolean isForm(RulePacket packet) {
    return isForm(packet.sourceHigh()) || isForm(packet.destinationHigh());
  }

  private static boolean isForm(long high) {
    return high == 0 || high == 0x0064_FF9B_0000_0000L || high >>> 48 == 0x2002;
  }
}
