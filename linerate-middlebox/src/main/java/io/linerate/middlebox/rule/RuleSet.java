package io.linerate.middlebox.rule;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rules of a middlebox: the first that matches a packet decides. Those by name are apart: among
 * them decides the first that matches, once a name is known and the others pass.
 *
 * @param name of the file, for messages
 * @param sets values that have a name, for rules that are added
 * @param rules in the order of the file
 * @param byDefault for IP packets that no rule matches
 * @param nonIp for packets that are not IP, and that no rule matches
 * @param looksInside whether packets that others carry are decided about, too
 */
public record RuleSet(
    String name,
    Map<String, List<String>> sets,
    List<Rule> rules,
    Policy byDefault,
    Policy nonIp,
    boolean looksInside) {
  /** What holds for IP where nothing is said. */
  public static final Policy PASS_BY_DEFAULT = new Policy(0, "default pass", RuleAction.PASS);

  /** What holds for all else where nothing is said. */
  public static final Policy DROP_NON_IP = new Policy(0, "nonip drop", RuleAction.DROP);

  /** Copies what it is given. */
  public RuleSet {
    sets = Map.copyOf(sets);
    rules = List.copyOf(rules);
  }

  /** The same with other rules. */
  public RuleSet with(List<Rule> someRules, Policy newDefault, Policy newNonIp) {
    return new RuleSet(name, sets, someRules, newDefault, newNonIp, looksInside);
  }

  /** Where a line stands, for messages. */
  public String place(int line) {
    return line == 0 ? "added" : name + ":" + line;
  }

  /** Number of {@link #byDefault} in the counts of hits; those of the rules come before. */
  public int defaultIndex() {
    return rules.size();
  }

  /** Number of {@link #nonIp} in the counts of hits. */
  public int nonIpIndex() {
    return rules.size() + 1;
  }

  /** Numbers in the counts of hits. */
  public int size() {
    return rules.size() + 2;
  }

  /** What happens to packets that rule or policy {@code index} decides about. */
  public RuleAction action(int index) {
    if (index < rules.size()) {
      return rules.get(index).action();
    }
    return index == defaultIndex() ? byDefault.action() : nonIp.action();
  }

  /** Whether some rule asks what packets are to connections. */
  public boolean hasStates() {
    return rules.stream().anyMatch(rule -> !rule.when().relations().isEmpty());
  }

  /** Whether some rule asks by which ports packets come or leave. */
  public boolean namesPorts() {
    return rules.stream()
        .anyMatch(rule -> !rule.when().in().isEmpty() || !rule.when().out().isEmpty());
  }

  /** Whether some rule asks for names. */
  public boolean hasNames() {
    return rules.stream().anyMatch(rule -> rule.when().isByName());
  }

  /**
   * The number of the rule or policy that decides about a packet, but for rules by name, by trying
   * one after the other: what all tables have to find, too.
   */
  public int decide(RulePacket packet) {
    return IntStream.range(0, rules.size())
        .filter(i -> !rules.get(i).when().isByName() && rules.get(i).when().matches(packet))
        .findFirst()
        .orElse(packet.version() == 0 ? nonIpIndex() : defaultIndex());
  }

  /**
   * The number of the rule by name that decides about a packet by which a name becomes known;
   * {@link #defaultIndex} if none does.
   *
   * @param name in lower case and without a dot at the end
   */
  public int decide(RulePacket packet, String name) {
    return IntStream.range(0, rules.size())
        .filter(i -> rules.get(i).when().isAbout(name) && rules.get(i).when().matches(packet))
        .findFirst()
        .orElse(defaultIndex());
  }

  /**
   * Sees that all ports that rules name are there.
   *
   * @throws ConfigException if not: a line for each rule
   */
  public void requirePorts(Collection<String> ports) {
    List<String> errors = new ArrayList<>();
    for (Rule rule : rules) {
      Stream.concat(rule.when().in().stream(), rule.when().out().stream())
          .filter(port -> !ports.contains(port))
          .forEach(port ->
              errors.add(
                  "%s: no such port: port=%s, rule=%s; there are %s"
                      .formatted(place(rule.line()), port, rule.text(), String.join(", ", ports))));
    }
    if (!errors.isEmpty()) {
      throw new ConfigException(String.join("\n", errors));
    }
  }
}
