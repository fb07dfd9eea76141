package io.linerate.apps.firewall;

import io.linerate.dashboard.control.RuleControl.RuleLine;
import java.util.List;

/**
 * What a firewall lets pass: the first rule that matches a packet decides.
 *
 * @param rules in the order of the file
 * @param byDefault for IP packets that no rule matches
 * @param nonIp for packets that are not IP
 */
record RuleSet(List<Rule> rules, Policy byDefault, Policy nonIp) {
  static final Policy PASS_BY_DEFAULT = new Policy(0, "default pass", true);
  static final Policy DROP_NON_IP = new Policy(0, "nonip drop", false);

  RuleSet {
    rules = List.copyOf(rules);
  }

  /** Number of {@link #byDefault} in the counts of hits; those of the rules come before. */
  int defaultIndex() {
    return rules.size();
  }

  /** Number of {@link #nonIp} in the counts of hits. */
  int nonIpIndex() {
    return rules.size() + 1;
  }

  /** Whether this holds because nobody said anything else. */
  static boolean isUnsaid(RuleLine rule) {
    return rule.isFixed()
        && rule.line() == 0
        && (rule.rule().equals(PASS_BY_DEFAULT.text()) || rule.rule().equals(DROP_NON_IP.text()));
  }

  /** Numbers in the counts of hits. */
  int size() {
    return rules.size() + 2;
  }

  /** Whether packets that {@code index} is about may pass. */
  boolean pass(int index) {
    if (index < rules.size()) {
      return rules.get(index).pass();
    }
    return index == defaultIndex() ? byDefault.pass() : nonIp.pass();
  }
}
