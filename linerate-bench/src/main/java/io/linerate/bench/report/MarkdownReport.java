package io.linerate.bench.report;

import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The report for people. */
final class MarkdownReport {
  private final StringBuilder text = new StringBuilder();

  private MarkdownReport() {}

  /**
   * @param chartFiles of the charts that could be drawn
   */
  static String of(Machine machine, List<Section> sections, Set<String> chartFiles) {
    MarkdownReport report = new MarkdownReport();
    report.head(machine, sections);
    sections.forEach(section -> report.section(section, chartFiles));
    return report.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void head(Machine machine, List<Section> sections) {
    line("# Linerate beside C, " + machine.facts().getOrDefault("date", ""));
    line("");
    line(
        "Medians; the ratio is that of the rates of each pair of slices, median (lowest to"
            + " highest). Over several JVMs each JVM counts with the median of its pairs, and the"
            + " percentage is (highest - lowest) / median.");
    line("");
    verdict(sections);
    line("");
    line("| | |");
    line("|---|---|");
    machine.facts().forEach((name, value) -> line("| " + name + " | " + cell(value) + " |"));
  }

  private void verdict(List<Section> sections) {
    List<Result> results =
        sections.stream().flatMap(section -> section.results().stream()).toList();
    long wide = results.stream().filter(Noise::isTooWide).count();
    List<String> noisy =
        sections.stream()
            .filter(section -> !section.noise().complaints().isEmpty())
            .map(section ->
                section.name() + " (" + String.join(", ", section.noise().complaints()) + ")")
            .toList();
    if (wide == 0 && noisy.isEmpty()) {
      line("The machine was quiet enough for every case.");
      return;
    }
    line(
        String.format(
            Locale.ROOT,
            "**The machine was noisy.** The ratios of %d of %d cases are too far apart to conclude"
                + " (the middle half of the pairs, or all JVMs, wider than %.0f %% of the"
                + " median): marked with ?.",
            wide,
            results.size(),
            100 * Noise.MAX_SPREAD));
    if (!noisy.isEmpty()) {
      line("Doubtful as a whole: " + String.join("; ", noisy) + ".");
    }
  }

  private void section(Section section, Set<String> chartFiles) {
    line("");
    line("## " + section.name());
    line("");
    line(capitalised(section.summary()) + ". " + Math.round(section.seconds()) + " s.");
    section.failure().ifPresent(failure -> line("\n**Failed**: " + failure));
    if (!section.results().isEmpty()) {
      line("");
      table(section.results());
    }
    if (!section.conclusions().isEmpty()) {
      line("");
      section.conclusions().forEach(sentence -> line("- " + sentence));
    }
    notes(section.results());
    theirs(section.results());
    if (!section.skipped().isEmpty()) {
      line("");
      section.skipped().forEach((name, reason) -> line("- " + name + " was skipped: " + reason));
    }
    for (Chart chart : section.charts()) {
      if (chartFiles.contains(chart.file())) {
        line("");
        line("![" + chart.title() + "](" + chart.file() + ".png)");
      }
    }
  }

  private void table(List<Result> results) {
    Set<String> contestants =
        results.stream()
            .flatMap(result -> result.contestants().keySet().stream())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    boolean hasFigures = results.stream().anyMatch(result -> !result.figures().isEmpty());
    List<String> head = new ArrayList<>(List.of("case", "unit"));
    head.addAll(contestants);
    head.addAll(List.of("ratio", "ns", "heap B"));
    if (hasFigures) {
      head.add("further");
    }
    row(head);
    row(Collections.nCopies(head.size(), "---"));
    for (Result result : results) {
      List<String> cells = new ArrayList<>(List.of(result.caseName(), result.unit()));
      for (String contestant : contestants) {
        Spread rates = result.contestants().get(contestant);
        cells.add(rates == null ? "" : number(rates.median()));
      }
      cells.add(ratio(result));
      cells.add(nanoseconds(result));
      cells.add(result.heapBytesPerPacket().isPresent() ? heap(result) : "");
      if (hasFigures) {
        cells.add(figures(result.figures()));
      }
      row(cells);
    }
  }

  private void row(List<String> cells) {
    line(cells.stream().map(MarkdownReport::cell).collect(Collectors.joining(" | ", "| ", " |")));
  }

  private static String ratio(Result result) {
    String of = result.ratioOf().equals("java/c") ? "" : result.ratioOf() + " ";
    return result
        .ratioText()
        .map(text -> of + text + (Noise.isTooWide(result) ? " ?" : ""))
        .orElse("");
  }

  /** Of the first contestants, as long as they have any. */
  private static String nanoseconds(Result result) {
    if (result.unit().equals("ns")) {
      return "";
    }
    return result.contestants().values().stream()
        .mapToDouble(rates -> Nanoseconds.of(result.unit(), rates.median()))
        .filter(ns -> !Double.isNaN(ns))
        .mapToObj(MarkdownReport::number)
        .collect(Collectors.joining(" / "));
  }

  private static String heap(Result result) {
    double bytes = result.heapBytesPerPacket().orElseThrow();
    return bytes < 0.0005 ? "0" : number(bytes);
  }

  private static String figures(Map<String, Double> figures) {
    return figures.entrySet().stream()
        .map(figure -> figure.getKey() + " " + number(figure.getValue()))
        .collect(Collectors.joining(", "));
  }

  private void notes(List<Result> results) {
    List<Result> noted = results.stream().filter(result -> !result.notes().isEmpty()).toList();
    if (!noted.isEmpty()) {
      line("");
      noted.forEach(
          result -> result.notes().forEach(note -> line("- " + result.caseName() + ": " + note)));
    }
  }

  private void theirs(List<Result> results) {
    List<Result> compared = results.stream().filter(result -> !result.theirs().isEmpty()).toList();
    if (compared.isEmpty()) {
      return;
    }
    line("");
    line("What others measured, **on other machines**:");
    line("");
    row(List.of("case", "whose", "what", "theirs", "unit"));
    row(Collections.nCopies(5, "---"));
    for (Result result : compared) {
      for (Result.Theirs one : result.theirs()) {
        row(
            List.of(
                result.caseName(), one.source(), one.what(), number(one.value()), result.unit()));
      }
    }
  }

  static String number(double value) {
    double size = Math.abs(value);
    if (size >= 1_000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return size >= 100
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String capitalised(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
