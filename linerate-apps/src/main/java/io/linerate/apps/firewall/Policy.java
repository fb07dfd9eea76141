package io.linerate.apps.firewall;

/**
 * What happens to packets that no rule is about.
 *
 * @param line where the rules file says so, from 1; 0 when it does not
 * @param text the line without its comment
 * @param pass whether they may pass
 */
record Policy(int line, String text, boolean pass) {}
