package io.linerate.apps.programs;

import java.time.Duration;
import java.util.Locale;

/** How long a program has run, as text. */
public final class UpTime {
  private UpTime() {}

  /** Hours, minutes and seconds, and days before them if there are any. */
  public static String text(long ms) {
    Duration time = Duration.ofMillis(Math.max(0, ms));
    String clock =
        String.format(
            Locale.ROOT,
            "%02d:%02d:%02d",
            time.toHoursPart(),
            time.toMinutesPart(),
            time.toSecondsPart());
    return time.toDays() == 0 ? clock : time.toDays() + "d " + clock;
  }
}
