package io.linerate.core.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The path of a file, as the user writes it. */
public final class PathText {
  private PathText() {}

  /**
   * Reads a path. There need not be such a file.
   *
   * @throws ConfigException if it is empty, or no file can have that name here: it contains NUL, or
   *     letters that the system's encoding does not have
   */
  public static Path parse(String text) {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      throw new ConfigException(
          "not the path of a file: path=%s, reason=%s; write another, or set a UTF-8 locale"
              .formatted(text, e.getReason()));
    }
    throw new ConfigException("not the path of a file: path=; write one");
  }
}
