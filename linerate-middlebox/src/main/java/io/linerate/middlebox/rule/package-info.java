/**
 * Rules about packets: their language ({@link io.linerate.middlebox.rule.RulesFile}), what each
 * means ({@link io.linerate.middlebox.rule.RuleConditions#matches}), and tables that find the first
 * of many ({@link io.linerate.middlebox.rule.RuleMatcher}).
 */
package io.linerate.middlebox.rule;
