package io.linerate.analysis;

/**
 * How often a name was asked for in a window.
 *
 * @param name in lower case, as files of zones have it: what is not printable as {@code \DDD}, with
 *     a backslash before quotes, backslashes, and dots within labels (RFC 1035, section 5.1)
 */
public record NameCount(String name, long questions) {}
