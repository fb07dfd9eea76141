package io.linerate.bench.firewall;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which sources packets have, or destinations. */
public enum Sources {
  ANY_RULE("of all rules alike"),
  ZIPF("of few rules mostly"),
  NO_RULE("of no rule");

  private final String title;

  Sources(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /** The rules in an order in which the first ones may be met most. */
  static List<RuleLines.Prefix> shuffled(List<RuleLines.Prefix> rules, Random random) {
    List<RuleLines.Prefix> shuffled = new ArrayList<>(rules);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** One of so many rules: rule n as often as 1 / n when not all are alike. */
  public int rule(int count, Random random) {
    return this == ZIPF ? (int) Math.pow(count, random.nextDouble()) - 1 : random.nextInt(count);
  }

  /** An address near or in the rules. */
  int address(List<RuleLines.Prefix> prefixes, Random random) {
    RuleLines.Prefix prefix = prefixes.get(rule(prefixes.size(), random));
    if (this != NO_RULE) {
      return prefix.any(random);
    }
    int near = random.nextInt() & 0xFFFF;
    int address = (prefix.address() & 0xFFFF_0000) | near;
    return prefixes.stream().anyMatch(each -> each.has(address))
        ? address(prefixes, random)
        : address;
  }
}
