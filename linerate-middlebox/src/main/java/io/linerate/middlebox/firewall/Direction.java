package io.linerate.middlebox.firewall;

/**
 * A way through the firewall.
 *
 * @param in name of the port that packets come by
 * @param out name of the port that they leave by
 */
public record Direction(String in, String out) {}
