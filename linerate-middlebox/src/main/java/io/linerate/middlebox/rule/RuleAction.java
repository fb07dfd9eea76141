package io.linerate.middlebox.rule;

import java.util.Locale;

/** What happens to a packet that a rule decides about. */
public enum RuleAction {
  /** It goes on. */
  PASS,
  /** It is dropped; nobody is told. */
  DROP,
  /** It is dropped, and its sender told: by a reset of TCP, or by an error of ICMP. */
  REJECT;

  /** The word in a rule. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
