package io.linerate.apps.firewall;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules that hold together, until they are changed. Immutable, shared by all workers; another one
 * is another object.
 */
final class RuleEdition {
  private static final String DEFAULT = "default";
  private static final String NON_IP = "nonip";

  private final RuleSet rules;
  private final RuleTable table;
  private final boolean[] passes;
  private final Map<String, Integer> indexes = new HashMap<>();

  /**
   * What tells each rule from the others, whatever its place: its text and how many like it are
   * before it.
   */
  private final List<String> keys = new ArrayList<>();

  RuleEdition(RuleSet rules) {
    this.rules = rules;
    table = new RuleTable(rules.rules());
    passes = new boolean[rules.size()];
    for (int i = 0; i < passes.length; i++) {
      passes[i] = rules.pass(i);
    }
    Map<String, Integer> seen = new HashMap<>();
    for (Rule rule : rules.rules()) {
      keys.add(rule.text() + "#" + seen.merge(rule.text(), 1, Integer::sum));
    }
    keys.add(DEFAULT);
    keys.add(NON_IP);
    for (int i = 0; i < keys.size(); i++) {
      indexes.put(keys.get(i), i);
    }
  }

  RuleSet rules() {
    return rules;
  }

  RuleTable table() {
    return table;
  }

  /** Whether packets may pass, by the number of the rule that decides. Not to be changed. */
  boolean[] passes() {
    return passes;
  }

  int size() {
    return keys.size();
  }

  /** The number that a rule of this edition has in another; -1 if it is not there. */
  int indexIn(RuleEdition other, int index) {
    return other.indexes.getOrDefault(keys.get(index), -1);
  }
}
