package io.linerate.core.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;

/** A text file that the user names, in UTF-8. */
public final class TextFile {
  /** More is a mistake, such as a capture file or a device that never ends. */
  static final int MAX_BYTES = 64 << 20;

  /** Some editors write it in front of the text, of which it is no part. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TextFile() {}

  /**
   * Reads the whole file.
   *
   * @param what it is, in the words of the user: {@code rules file}
   * @throws ConfigException if it cannot be read
   */
  public static String read(String what, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new ConfigException(
            what + " is too long: file=" + file + ", maxBytes=" + MAX_BYTES + "; check the path");
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (NoSuchFileException e) {
      throw new ConfigException("no such " + what + ": " + place(file) + "; check the path");
    } catch (AccessDeniedException e) {
      throw unreadable(what, file, "permission denied");
    } catch (IOException e) {
      throw unreadable(what, file, String.valueOf(e.getMessage()));
    }
  }

  /** With the folder that a relative path begins in: the one that the program was started in. */
  private static String place(Path file) {
    return file.isAbsolute()
        ? "file=" + file
        : "file=%s, folder=%s".formatted(file, Path.of("").toAbsolutePath());
  }

  /**
   * Reads a text statement by statement: lines without comments and blanks around them, as far as
   * something is left.
   *
   * @param file name for messages
   * @param reader takes a statement and the number of its line; it throws for what is wrong
   * @throws ConfigException for all that is wrong: a line each
   */
  public static void statements(String file, String text, ObjIntConsumer<String> reader) {
    List<String> errors = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String statement = line.split("#", 2)[0].strip();
      try {
        if (!statement.isEmpty()) {
          reader.accept(statement, number);
        }
      } catch (ConfigException | IllegalArgumentException e) {
        errors.add(file + ":" + number + ": " + e.getMessage());
      }
    }
    requireNone(errors);
  }

  /**
   * Ends a reading that collected errors.
   *
   * @throws ConfigException if there are any: a line each
   */
  static void requireNone(List<String> errors) {
    if (!errors.isEmpty()) {
      throw new ConfigException(String.join("\n", errors));
    }
  }

  private static ConfigException unreadable(String what, Path file, String reason) {
    return new ConfigException(
        "cannot read the "
            + what
            + ": file="
            + file
            + ", reason="
            + reason
            + "; name a text file that may be read");
  }
}
