package io.linerate.middlebox.rule;

/**
 * What happens to packets that no rule is about.
 *
 * @param line where the rules file says so, from 1; 0 when it does not
 * @param text the line without its comment
 * @param action what happens to them
 */
public record Policy(int line, String text, RuleAction action) {}
