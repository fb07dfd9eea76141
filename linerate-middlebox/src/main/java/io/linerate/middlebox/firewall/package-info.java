/**
 * The firewall: {@link io.linerate.middlebox.firewall.RuleFilter} passes, rejects or drops packets
 * by the rules of a {@link io.linerate.middlebox.firewall.RuleBook}, which may change meanwhile.
 */
package io.linerate.middlebox.firewall;
