package io.linerate.filter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The filters of filters.txt. */
final class Filters {
  private Filters() {}

  static List<String> all() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(Filters.class.getResourceAsStream("filters.txt")),
                StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.isEmpty() && line.charAt(0) != '#').toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
