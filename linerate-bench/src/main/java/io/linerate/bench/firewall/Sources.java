package io.linerate.bench.firewall;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which sources packets have. */
enum Sources {
  ANY_RULE("sources of all rules alike"),
  ZIPF("sources of few rules mostly"),
  NO_RULE("sources of no rule");

  private final String title;

  Sources(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The rules in an order in which the first ones may be met most. */
  static List<RuleLines.Prefix> shuffled(List<RuleLines.Prefix> rules, Random random) {
    List<RuleLines.Prefix> shuffled = new ArrayList<>(rules);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** An address near or in the rules: rule n is met as often as 1 / n when not all are alike. */
  int address(List<RuleLines.Prefix> prefixes, Random random) {
    int rule =
        this == ZIPF
            ? (int) Math.pow(prefixes.size(), random.nextDouble()) - 1
            : random.nextInt(prefixes.size());
    RuleLines.Prefix prefix = prefixes.get(rule);
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
