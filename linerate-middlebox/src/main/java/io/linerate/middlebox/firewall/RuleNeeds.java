package io.linerate.middlebox.firewall;

import io.linerate.core.config.ConfigException;
import io.linerate.middlebox.rule.Rule;
import io.linerate.middlebox.rule.RuleAction;
import io.linerate.middlebox.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What rules need beside themselves, which a firewall has or has not from its start on.
 *
 * @param connections whether they ask for states of connections
 * @param wholePackets whether they ask for what only the first fragment of a packet has
 * @param answers whether they reject, so that senders are told
 * @param names whether they ask for names, which are read from the first bytes of connections
 */
public record RuleNeeds(boolean connections, boolean wholePackets, boolean answers, boolean names) {
  static RuleNeeds of(RuleSet rules) {
    return new RuleNeeds(
        rules.hasStates() || rules.hasNames(),
        rules.looksInside()
            || rules.hasStates()
            || rules.hasNames()
            || rules.rules().stream().anyMatch(RuleNeeds::asksForUpperHeader),
        rules.byDefault().action() == RuleAction.REJECT
            || rules.rules().stream().anyMatch(RuleNeeds::rejects),
        rules.hasNames());
  }

  private static boolean rejects(Rule rule) {
    return rule.action() == RuleAction.REJECT;
  }

  private static boolean asksForUpperHeader(Rule rule) {
    return !rule.when().sourcePorts().isEmpty()
        || !rule.when().destinationPorts().isEmpty()
        || rule.when().flags().isPresent();
  }

  /**
   * Sees that a firewall that has these can do what rules ask for.
   *
   * @param tells whether it has answers all the same
   * @throws ConfigException if not: a line for each rule
   */
  void require(RuleSet rules, boolean tells) {
    List<String> errors = new ArrayList<>();
    if (!connections) {
      refuse(
          rules,
          rule -> !rule.when().relations().isEmpty(),
          "connections are not tracked, since no rule asked for it at the start",
          errors);
    }
    if (!names) {
      refuse(
          rules,
          rule -> rule.when().isByName(),
          "names are not read, since no rule asked for it at the start",
          errors);
    }
    if (!wholePackets && rules.looksInside()) {
      errors.add(
          rules.name()
              + ": fragments are not put together, since no rule asked for it at the start: rule=inner"
              + " on; start the firewall with this rule");
    } else if (!wholePackets) {
      refuse(
          rules,
          RuleNeeds::asksForUpperHeader,
          "fragments are not put together, since no rule asked for it at the start",
          errors);
    }
    if (!answers && !tells) {
      String why = "nobody can be told, since no rule rejected at the start";
      refuse(rules, RuleNeeds::rejects, why, errors);
      if (rules.byDefault().action() == RuleAction.REJECT) {
        errors.add(refusal(rules, rules.byDefault().line(), why, rules.byDefault().text()));
      }
    }
    if (!errors.isEmpty()) {
      throw new ConfigException(String.join("\n", errors));
    }
  }

  private static void refuse(
      RuleSet rules, Predicate<Rule> isRefused, String why, List<String> errors) {
    rules.rules().stream()
        .filter(isRefused)
        .forEach(rule -> errors.add(refusal(rules, rule.line(), why, rule.text())));
  }

  private static String refusal(RuleSet rules, int line, String why, String text) {
    return "%s: %s: rule=%s; start the firewall with this rule"
        .formatted(rules.place(line), why, text);
  }
}
