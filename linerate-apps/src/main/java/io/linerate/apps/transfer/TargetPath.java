package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Optional;

/**
 * Where a file is put, below a directory: no link is followed on the way there, whenever it was
 * made.
 */
final class TargetPath {
  /** Each is looked at for each file. */
  private static final int MOST_NAMES = 128;

  private static final String UNSAFE = "its file system has no safe names";

  private final Path into;
  private final Path relative;

  private TargetPath(Path into, Path relative) {
    this.into = into;
    this.relative = relative;
  }

  /**
   * Of a name that somebody else has said.
   *
   * @throws FileSystemException if it leads elsewhere, or cannot be had here
   */
  static TargetPath of(Path into, String name) throws FileSystemException {
    Path relative;
    try {
      relative = Path.of(name);
    } catch (InvalidPathException e) {
      throw new FileSystemException(
          name, null, "no file can have its name here: see whether the locale is one of UTF-8");
    }
    boolean isInside =
        !name.isEmpty()
            && !relative.isAbsolute()
            && relative.toString().equals(name)
            && relative.normalize().equals(relative)
            && !relative.startsWith("..")
            && !relative.startsWith(PartsDirectory.NAME);
    if (!isInside) {
      throw new FileSystemException(name, null, "its name leads elsewhere");
    }
    if (relative.getNameCount() > MOST_NAMES) {
      throw new FileSystemException(
          name,
          null,
          "it is too deep: directories=%d, most=%d"
              .formatted(relative.getNameCount() - 1, MOST_NAMES - 1));
    }
    return new TargetPath(into, relative);
  }

  Path name() {
    return relative.getFileName();
  }

  /** The directory that it is in, which is there once that was opened. */
  Path parent() {
    Path parent = relative.getParent();
    return parent == null ? into : into.resolve(parent);
  }

  /** Opens the directory that it is in, with all that leads there. */
  SecureDirectoryStream<Path> openParent() throws IOException {
    return open(relative.getNameCount() - 1);
  }

  /** Makes it a directory. */
  void makeDirectory(FileFacts facts) throws IOException {
    try (SecureDirectoryStream<Path> directory = open(relative.getNameCount())) {
      directory
          .getFileAttributeView(PosixFileAttributeView.class)
          .setPermissions(facts.permissions());
    }
  }

  private SecureDirectoryStream<Path> open(int steps) throws IOException {
    SecureDirectoryStream<Path> at = PartsDirectory.open(into, UNSAFE);
    for (int i = 0; i < steps; i++) {
      try (SecureDirectoryStream<Path> outer = at) {
        at = step(outer, i);
      }
    }
    return at;
  }

  private SecureDirectoryStream<Path> step(SecureDirectoryStream<Path> outer, int i)
      throws IOException {
    try {
      return PartsDirectory.step(outer, relative.getName(i));
    } catch (NoSuchFileException e) {
      try {
        Files.createDirectory(into.resolve(relative.subpath(0, i + 1)));
      } catch (FileAlreadyExistsException there) {
        // It is looked at below.
      }
      return PartsDirectory.step(outer, relative.getName(i));
    }
  }

  /**
   * What has the name now; empty: nothing.
   *
   * @throws FileSystemException if it is no file
   */
  Optional<BasicFileAttributes> file(SecureDirectoryStream<Path> parent) throws IOException {
    try {
      BasicFileAttributes there =
          parent
              .getFileAttributeView(name(), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (!there.isRegularFile()) {
        throw new FileSystemException(
            relative.toString(), null, "something else has this name: a link or a directory");
      }
      return Optional.of(there);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
