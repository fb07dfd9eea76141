package io.linerate.core.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}. */
public final class DurationText {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(us|ms|s|m|h)");

  private DurationText() {}

  /**
   * Reads a time.
   *
   * @throws ConfigException if it is none, or zero
   */
  public static Duration parse(String text) {
    return read(text)
        .orElseThrow(() ->
            new ConfigException(
                "not a time: "
                    + text
                    + "; write a number above 0 and us, ms, s, m or h, such as 10s"));
  }

  /** Empty if it is none, or zero. */
  static Optional<Duration> read(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      return Optional.empty();
    }
    long count = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "us" -> Duration.ofNanos(1_000 * count);
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          default -> Duration.ofHours(count);
        });
  }
}
