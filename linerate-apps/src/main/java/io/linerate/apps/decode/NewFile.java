package io.linerate.apps.decode;

import io.linerate.core.port.PortException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A file that has its name once it is complete: until then it stands beside it under another, and
 * what had the name stays. One that fails leaves nothing.
 */
public final class NewFile {
  /** Begins a file. */
  @FunctionalInterface
  public interface Creation<T> {
    /** Begins it in place of what stands there. */
    T at(Path path) throws IOException;
  }

  private final Path path;
  private final Path written;

  /**
   * @param path of the file; what is there and no file, such as a pipe, is written at once
   */
  public NewFile(Path path) {
    this.path = path;
    boolean isOther = Files.exists(path) && !Files.isRegularFile(path);
    written =
        isOther
            ? path
            : target()
                .resolveSibling(
                    "." + path.getFileName() + "." + ProcessHandle.current().pid() + ".part");
  }

  /** Where the file is to be: where a link leads. */
  private Path target() {
    try {
      return path.toRealPath();
    } catch (IOException e) { // There is none yet.
      return path.toAbsolutePath();
    }
  }

  /**
   * Begins it.
   *
   * @throws PortException if it cannot be written
   */
  public <T> T create(Creation<T> creation) {
    try {
      return creation.at(written);
    } catch (IOException e) {
      throw new PortException(
          "file cannot be written: file=%s, reason=%s; name one in a folder that is there and can be written to"
              .formatted(path, reason(e)),
          e);
    }
  }

  /** Gives it its name. Returns what is said if it cannot be. */
  public Optional<String> complete() {
    try {
      if (!written.equals(path)) {
        Path _ = Files.move(written, target(), StandardCopyOption.REPLACE_EXISTING);
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(failed(e));
    }
  }

  /** Removes what was written. */
  public void discard() {
    try {
      if (!written.equals(path)) {
        boolean _ = Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      // It stays where it is, without the name of a whole file.
    }
  }

  /** Removes what was written. Returns what is said of it. */
  public String failed(IOException cause) {
    discard();
    return "file is not complete%s: file=%s, reason=%s; see to room on the disk, and begin again"
        .formatted(written.equals(path) ? "" : ", and removed", path, reason(cause));
  }

  /** The first cause: libraries say that they could not close something. */
  private static String reason(Throwable failure) {
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return switch (first) {
      case NoSuchFileException missing -> "no such folder";
      case AccessDeniedException denied -> "permission denied";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> first.getMessage() == null ? first.toString() : first.getMessage();
    };
  }
}
