package io.linerate.bench.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the JVM did beside the program, and when: times are in ms since it was started.
 *
 * @param deoptimisationsMs compiled code given up
 * @param pausesMs collections
 */
record JvmLog(List<Double> deoptimisationsMs, List<Double> pausesMs) {
  private static final Pattern LINE =
      Pattern.compile("^\\[([0-9]+)ms\\]\\[(deoptimization|gc) *\\] (.*)$");

  /** The option that has it written. */
  static String option(Path file) {
    return "-Xlog:deoptimization=debug,gc=info:file=" + file + ":uptimemillis,tags";
  }

  static JvmLog read(Path file) throws IOException {
    return of(Files.readAllLines(file));
  }

  static JvmLog of(List<String> lines) {
    List<Double> deoptimisations = new ArrayList<>();
    List<Double> pauses = new ArrayList<>();
    for (String line : lines) {
      Matcher found = LINE.matcher(line);
      if (!found.find()) {
        continue;
      }
      double ms = Double.parseDouble(found.group(1));
      if (found.group(2).equals("deoptimization")) {
        deoptimisations.add(ms);
      } else if (found.group(3).contains("Pause")) {
        pauses.add(ms);
      }
    }
    return new JvmLog(deoptimisations, pauses);
  }

  /** Whether one of these times is in the interval of a point, or less than 20 ms before it. */
  static boolean isIn(List<Double> timesMs, RatePoint point) {
    double from = point.endMs() - 120;
    return timesMs.stream().anyMatch(ms -> ms >= from && ms <= point.endMs());
  }

  /** Times after this one. */
  static long after(List<Double> timesMs, double startMs) {
    return timesMs.stream().filter(ms -> ms > startMs).count();
  }
}
