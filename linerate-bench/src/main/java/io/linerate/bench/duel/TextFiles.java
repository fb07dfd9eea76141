package io.linerate.bench.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of lines, and the folders that they are in. */
public final class TextFiles {
  private TextFiles() {}

  /** Writes lines; returns the file. */
  public static Path write(Path file, List<String> lines) {
    try {
      return Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write: file=" + file, e);
    }
  }

  /** Makes it, if it is not there; returns it. */
  public static Path folder(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder: folder=" + folder, e);
    }
  }
}
