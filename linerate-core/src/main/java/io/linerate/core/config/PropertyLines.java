package io.linerate.core.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The entries of a properties file in their order, with the lines they start in: {@link Properties}
 * reads each logical line, so that escapes and continuation lines mean what they always meant.
 */
public final class PropertyLines {
  private final String file;
  private final List<ConfigEntry> entries = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  private PropertyLines(String file) {
    this.file = file;
  }

  /**
   * Reads a configuration file.
   *
   * @throws ConfigException if it cannot be read, or for all that is wrong in it: a line each
   */
  public static List<ConfigEntry> read(Path file) {
    List<String> errors = new ArrayList<>();
    String text = TextFile.read("configuration file", file);
    List<ConfigEntry> entries = parse(file.toString(), text, errors);
    TextFile.requireNone(errors);
    return entries;
  }

  /**
   * @param file name for messages
   * @param errors where sentences about lines that cannot be read are added
   */
  static List<ConfigEntry> parse(String file, String text, List<String> errors) {
    PropertyLines lines = new PropertyLines(file);
    lines.split(text);
    errors.addAll(lines.errors);
    return lines.entries;
  }

  private void split(String text) {
    StringBuilder logical = new StringBuilder();
    int lineNumber = 0;
    int start = 0;
    for (String line : text.lines().toList()) {
      lineNumber++;
      // A comment never continues, and a blank line within a continued one is part of it.
      if (logical.isEmpty()) {
        start = lineNumber;
        if (isComment(line)) {
          continue;
        }
      }
      logical.append(line).append('\n');
      if (!continues(line)) {
        read(start, logical.toString());
        logical.setLength(0);
      }
    }
    read(start, logical.toString());
  }

  private static boolean isComment(String line) {
    String stripped = line.strip();
    return stripped.startsWith("#") || stripped.startsWith("!");
  }

  /** An odd number of backslashes at the end. */
  private static boolean continues(String line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return (backslashes & 1) == 1;
  }

  private void read(int lineNumber, String logical) {
    Properties properties = new Properties();
    String origin = file + ":" + lineNumber;
    try {
      properties.load(new StringReader(logical));
    } catch (IllegalArgumentException e) {
      errors.add(origin + ": bad escape: line=" + logical.strip() + "; \\uXXXX has four digits");
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot be read", e);
    }
    properties.forEach((key, value) ->
        entries.add(new ConfigEntry(origin, (String) key, ((String) value).strip())));
  }
}
