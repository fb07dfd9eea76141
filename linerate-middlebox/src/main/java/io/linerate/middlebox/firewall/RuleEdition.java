package io.linerate.middlebox.firewall;

import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.NameMatcher;
import io.linerate.middlebox.rule.Rule;
import io.linerate.middlebox.rule.RuleAction;
import io.linerate.middlebox.rule.RuleMatcher;
import io.linerate.middlebox.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rules that hold together, until they are changed. Immutable, shared by all workers; another one
 * is another object.
 */
final class RuleEdition {
  private static final String DEFAULT = "default";
  private static final String NON_IP = "nonip";

  private final RuleSet rules;
  private final Optional<SourceTable> sources;
  private final Map<Direction, RuleMatcher> matchers = new HashMap<>();
  private final Map<Direction, NameMatcher> names = new HashMap<>();
  private final Optional<RuleExtras> extras;
  private final boolean[] passes;
  private final boolean[] rejects;
  private final Map<String, Integer> indexes = new HashMap<>();

  /**
   * What tells each rule from the others, whatever its place: its text and how many like it are
   * before it.
   */
  private final List<String> keys = new ArrayList<>();

  /**
   * @param before the edition before, whose limits go on
   */
  RuleEdition(RuleSet rules, List<Direction> directions, Optional<RuleEdition> before) {
    this.rules = rules;
    sources = SourceTable.of(rules);
    RuleMatcher ofAll = RuleMatcher.of(rules, "", "");
    Optional<NameMatcher> namesOfAll = NameMatcher.of(rules, "", "");
    for (Direction direction : directions) {
      matchers.put(
          direction,
          rules.namesPorts() ? RuleMatcher.of(rules, direction.in(), direction.out()) : ofAll);
      (rules.namesPorts() ? NameMatcher.of(rules, direction.in(), direction.out()) : namesOfAll)
          .ifPresent(matcher -> names.put(direction, matcher));
    }
    passes = new boolean[rules.size()];
    rejects = new boolean[rules.size()];
    for (int i = 0; i < passes.length; i++) {
      passes[i] = rules.action(i) == RuleAction.PASS;
      rejects[i] = rules.action(i) == RuleAction.REJECT;
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
    extras =
        RuleExtras.of(
            rules,
            before.flatMap(RuleEdition::extras),
            i -> before.map(old -> indexIn(old, i)).orElse(-1),
            System.nanoTime());
  }

  RuleSet rules() {
    return rules;
  }

  /** For plain IPv4 packets, if rules are about sources only. */
  Optional<SourceTable> sources() {
    return sources;
  }

  /** For all packets of a direction. */
  RuleMatcher matcher(Direction direction) {
    RuleMatcher matcher = matchers.get(direction);
    if (matcher == null) {
      throw new IllegalArgumentException("no such direction: direction=" + direction);
    }
    return matcher;
  }

  /** For packets of a direction that the others pass; none if no rule there asks for names. */
  Optional<NameMatcher> names(Direction direction) {
    return Optional.ofNullable(names.get(direction));
  }

  /** Whether packets may pass, by the number of the rule that decides. Not to be changed. */
  boolean[] passes() {
    return passes;
  }

  /** Whether senders are to be told, by the number of the rule that decides. Not to be changed. */
  boolean[] rejects() {
    return rejects;
  }

  /** Limits and notes; none if no rule asks for any. */
  Optional<RuleExtras> extras() {
    return extras;
  }

  /** How many bytes the tables have, about. */
  long bytes() {
    return matchers.values().stream().distinct().mapToLong(RuleMatcher::bytes).sum()
        + names.values().stream().distinct().mapToLong(NameMatcher::bytes).sum();
  }

  int size() {
    return keys.size();
  }

  /** The number that a rule of this edition has in another; -1 if it is not there. */
  int indexIn(RuleEdition other, int index) {
    return other.indexes.getOrDefault(keys.get(index), -1);
  }
}
