package io.linerate.apps.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * What the kernel says in /proc and /sys. What is not there or may not be read is empty.
 *
 * @param root "/", or a folder that stands for it in tests
 */
record SystemFiles(Path root) {
  String text(String path) {
    try {
      return new String(Files.readAllBytes(root.resolve(path)), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  List<String> lines(String path) {
    return text(path).lines().toList();
  }

  /** The lines of a file that is compressed with gzip. */
  List<String> unzippedLines(String path) {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(root.resolve(path)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** A number, or {@code missing} when there is none. */
  long number(String path, long missing) {
    String text = text(path);
    return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : missing;
  }

  /** Names in a folder, sorted. */
  List<String> names(String path) {
    try (Stream<Path> entries = Files.list(root.resolve(path))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  /** The last name of what a link points to, or "". */
  String linkName(String path) {
    try {
      return Files.readSymbolicLink(root.resolve(path)).getFileName().toString();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }
}
