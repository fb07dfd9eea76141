package io.linerate.apps.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** In which order ports and reasons stand. */
enum Order {
  NAME {
    @Override
    Comparator<PortRow> ofPorts() {
      return BY_NAME;
    }

    @Override
    Comparator<Map.Entry<String, Pace>> ofReasons() {
      return Map.Entry.comparingByKey();
    }
  },

  /** The busiest first. */
  RATE {
    @Override
    Comparator<PortRow> ofPorts() {
      return Comparator.<PortRow>comparingDouble(row -> -rate(row.passed())).thenComparing(BY_NAME);
    }
  },

  /** Those that lose most first. */
  DROPS {
    @Override
    Comparator<PortRow> ofPorts() {
      return Comparator.<PortRow>comparingDouble(row -> -rate(row.lost()))
          .thenComparingLong(row -> -row.lost().total())
          .thenComparing(BY_NAME);
    }
  };

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");
  private static final int DIGITS = 19;

  private static final Comparator<PortRow> BY_NAME =
      Comparator.comparing((PortRow row) -> natural(row.name())).thenComparing(PortRow::name);

  abstract Comparator<PortRow> ofPorts();

  Comparator<Map.Entry<String, Pace>> ofReasons() {
    return Comparator.<Map.Entry<String, Pace>>comparingDouble(drop -> -rate(drop.getValue()))
        .thenComparingLong(drop -> -drop.getValue().total())
        .thenComparing(Map.Entry.comparingByKey());
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
