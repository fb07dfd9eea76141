package io.linerate.middlebox.rule;

/**
 * A way through a program that has rules.
 *
 * @param in name of the port that packets come by
 * @param out name of the port that they leave by
 */
public record Direction(String in, String out) {}
