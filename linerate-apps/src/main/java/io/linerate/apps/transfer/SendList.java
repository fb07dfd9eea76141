package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.stream.codec.Compression;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Finds what is sent: files, and all that is in directories, under their last names. */
final class SendList {
  private final Optional<Compression> compression;
  private final List<SentFile> files = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  SendList(Optional<Compression> compression) {
    this.compression = compression;
  }

  List<SentFile> files() {
    return files;
  }

  /** What is neither file nor directory, or cannot be read: it is not sent. */
  List<String> skipped() {
    return skipped;
  }

  /**
   * Adds what a path names.
   *
   * @throws ConfigException if there is no such thing
   */
  void add(String text) {
    Path path = PathText.parse(text);
    if (!Files.exists(path)) {
      throw new ConfigException(
          "no such file: file=%s; name files and directories that are there".formatted(text));
    }
    Path name = path.toAbsolutePath().normalize().getFileName();
    Path base = name == null ? Path.of("root") : name;
    try {
      // What is named may be a link; those inside are not followed.
      Files.walkFileTree(
          path.toRealPath(),
          EnumSet.noneOf(FileVisitOption.class),
          Integer.MAX_VALUE,
          new Visitor(path.toRealPath(), base));
    } catch (IOException e) {
      throw new ConfigException(
          "cannot be read: file=%s, error=%s; see who may read it".formatted(text, e));
    }
  }

  /** Adds what comes by standard input, under a name. */
  SentFile addPipe(String name) {
    SentFile file =
        new SentFile(
            files.size(),
            Path.of("-"),
            name,
            false,
            TransferWire.UNKNOWN_SIZE,
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
            0_644,
            compression);
    files.add(file);
    return file;
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Path base;

    Visitor(Path root, Path base) {
      this.root = root;
      this.base = base;
    }

    private String name(Path path) {
      Path inside = root.relativize(path);
      return (inside.toString().isEmpty() ? base : base.resolve(inside)).toString();
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
        throws IOException {
      add(path, true, 0);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
      if (!attributes.isRegularFile()) {
        skipped.add("not a file, not sent: file=" + path);
      } else if (!Files.isReadable(path)) {
        skipped.add("cannot be read, not sent: file=" + path);
      } else {
        add(path, false, attributes.size());
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      skipped.add("cannot be read, not sent: file=" + path);
      return FileVisitResult.CONTINUE;
    }

    private void add(Path path, boolean isDirectory, long size) throws IOException {
      PosixFileAttributes attributes =
          Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      files.add(
          new SentFile(
              files.size(),
              path,
              name(path),
              isDirectory,
              size,
              attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
              mode(attributes.permissions()),
              isDirectory ? Optional.empty() : compression));
    }
  }

  private static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission one : PosixFilePermission.values()) {
      mode = mode << 1 | (permissions.contains(one) ? 1 : 0);
    }
    return mode;
  }
}
