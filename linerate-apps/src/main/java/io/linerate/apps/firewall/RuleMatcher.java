package io.linerate.apps.firewall;

/** Rules for IPv4 in a form that finds the first that matches. Immutable, for all workers. */
interface RuleMatcher {
  /**
   * The place of the first rule that matches, or that of none.
   *
   * @param word a key as {@link RuleTable} has it; what a key leaves out is not looked at
   */
  int match(long word);
}
