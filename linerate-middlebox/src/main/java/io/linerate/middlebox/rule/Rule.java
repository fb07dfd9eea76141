package io.linerate.middlebox.rule;

import java.util.Optional;

/**
 * A line of a rules file that decides about packets.
 *
 * @param line where it stands, from 1; 0 if it is not of a file
 * @param text the line without its comment
 * @param action what happens to packets that match
 * @param isLogged whether they are noted in the log
 * @param limit how many packets it passes
 * @param when which packets match
 */
public record Rule(
    int line,
    String text,
    RuleAction action,
    boolean isLogged,
    Optional<RuleLimit> limit,
    RuleConditions when) {
  /** The same as a line that is of no file. */
  public Rule withoutLine() {
    return new Rule(0, text, action, isLogged, limit, when);
  }
}
