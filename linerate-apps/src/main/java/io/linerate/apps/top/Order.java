package io.linerate.apps.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** In which order programs, ports, elements and reasons stand. */
enum Order {
  NAME,

  /** The busiest first. */
  RATE,

  /** Those that lose most first. */
  DROPS;

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final int DIGITS = 19;

  private static final Comparator<Ranked> BY_NAME =
      Comparator.comparing((Ranked one) -> natural(one.name())).thenComparing(Ranked::name);

  Comparator<Ranked> ranked() {
    return switch (this) {
      case NAME -> BY_NAME;
      case RATE -> most(Ranked::passed).thenComparing(BY_NAME);
      case DROPS ->
          most(Ranked::lost).thenComparingLong(one -> -one.lost().total()).thenComparing(BY_NAME);
    };
  }

  Comparator<Map.Entry<String, Pace>> ofReasons() {
    Comparator<Map.Entry<String, Pace>> byName = Map.Entry.comparingByKey();
    return this == NAME
        ? byName
        : Order.<Map.Entry<String, Pace>>most(Map.Entry::getValue)
            .thenComparingLong(drop -> -drop.getValue().total())
            .thenComparing(byName);
  }

  private static <T> Comparator<T> most(Function<T, Pace> pace) {
    return Comparator.comparingDouble(one -> -rate(pace.apply(one)));
  }

  Order next() {
    return switch (this) {
      case NAME -> RATE;
      case RATE -> DROPS;
      case DROPS -> NAME;
    };
  }

  private static double rate(Pace pace) {
    return Double.isNaN(pace.perSecond()) ? 0 : pace.perSecond();
  }

  /** So that p10 comes behind p9. */
  private static String natural(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(
            number -> "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
  }

  @Override
  public String toString() {
    return "by " + name().toLowerCase(Locale.ROOT);
  }
}
