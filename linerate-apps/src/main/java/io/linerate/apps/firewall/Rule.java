package io.linerate.apps.firewall;

/**
 * A line of a rules file that names a source.
 *
 * @param line where it stands, from 1
 * @param text the line without its comment
 * @param pass whether packets that it matches may pass
 * @param source where they come from
 * @param protocol of the IP header, behind any IPv6 extension headers; {@link #ANY_PROTOCOL} for
 *     all
 */
record Rule(int line, String text, boolean pass, Source source, int protocol) {
  static final int ANY_PROTOCOL = -1;
}
