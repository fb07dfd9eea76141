package io.linerate.middlebox.balance;

import io.linerate.wire.Ipv4Address;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server behind a balancer.
 *
 * @param address of IPv4
 * @param port 1 to 65,535
 * @param weight its part of new connections, beside the others': 0 to 100; 0: none, but those that
 *     are there go on
 */
public record Backend(String address, int port, int weight) {
  /** Largest weight. */
  public static final int MAX_WEIGHT = 100;

  private static final Pattern TEXT =
      Pattern.compile("([0-9.]+):([0-9]{1,5})(?: weight ([0-9]{1,3}))?");

  /**
   * @throws IllegalArgumentException if the address is none, or a number is out of range
   */
  public Backend {
    int _ = Ipv4Address.parse(address);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("no such port: port=" + port + "; write 1 to 65535");
    }
    if (weight < 0 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "no such weight: weight=" + weight + "; write 0 to " + MAX_WEIGHT);
    }
  }

  /**
   * Reads {@code ADDRESS:PORT [weight N]}.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static Backend parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().replaceAll("\\s+", " "));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a backend: text=" + text + "; write 10.0.0.11:8080, or 10.0.0.11:8080 weight 2");
    }
    return new Backend(
        matcher.group(1),
        Integer.parseInt(matcher.group(2)),
        matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3)));
  }

  @Override
  public String toString() {
    return address + ":" + port + (weight == 1 ? "" : " weight " + weight);
  }
}
