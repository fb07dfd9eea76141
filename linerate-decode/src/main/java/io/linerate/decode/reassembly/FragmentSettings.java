package io.linerate.decode.reassembly;

import java.time.Duration;

/**
 * How many fragments wait for others, and for how long.
 *
 * @param datagrams that are put together at the same time at most, 1 to 32,767: for more, the
 *     oldest goes
 * @param fragments of one datagram at most, 2 to 8,192
 * @param ipv4Timeout after the first fragment of IPv4, 1 ms to 1 day
 * @param ipv6Timeout after the first fragment of IPv6, 1 ms to 1 day
 */
public record FragmentSettings(
    int datagrams, int fragments, Duration ipv4Timeout, Duration ipv6Timeout) {
  private static final int MAX_DATAGRAMS = 32_767;

  /** RFC 791, section 3.1: the offset has 13 bits, and no fragment is empty. */
  private static final int MAX_FRAGMENTS = 8_192;

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);
  private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

  /**
   * 1,024 datagrams; 128 fragments, where 65,535 bytes have 119 in packets of 576, the least that
   * hosts of IPv4 take; 30 s for IPv4, as Linux has it, and 60 s for IPv6 (RFC 8200, section 4.5).
   */
  public static final FragmentSettings DEFAULT =
      new FragmentSettings(1_024, 128, Duration.ofSeconds(30), Duration.ofSeconds(60));

  public FragmentSettings {
    if (datagrams < 1
        || datagrams > MAX_DATAGRAMS
        || fragments < 2
        || fragments > MAX_FRAGMENTS
        || isOutside(ipv4Timeout)
        || isOutside(ipv6Timeout)) {
      throw new IllegalArgumentException(
          "fragments cannot be kept so: datagrams=%d, fragments=%d, ipv4Timeout=%s, ipv6Timeout=%s; give 1 to %d datagrams, 2 to %d fragments, 1 ms to 1 day"
              .formatted(
                  datagrams, fragments, ipv4Timeout, ipv6Timeout, MAX_DATAGRAMS, MAX_FRAGMENTS));
    }
  }

  private static boolean isOutside(Duration timeout) {
    return timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0;
  }

  public FragmentSettings withDatagrams(int count) {
    return new FragmentSettings(count, fragments, ipv4Timeout, ipv6Timeout);
  }

  public FragmentSettings withFragments(int count) {
    return new FragmentSettings(datagrams, count, ipv4Timeout, ipv6Timeout);
  }

  /** For both versions. */
  public FragmentSettings withTimeout(Duration time) {
    return new FragmentSettings(datagrams, fragments, time, time);
  }
}
