package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds what is sent: files, and all that is in directories, under their last names. */
final class SendList {
  private final SendRules rules;
  private final List<SentFile> files = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private final Map<String, Path> names = new HashMap<>();

  SendList(SendRules rules) {
    this.rules = rules;
  }

  List<SentFile> files() {
    return files;
  }

  /** What is neither file nor directory, a sentence for each: it is not sent, as it is to be. */
  List<String> skipped() {
    return skipped;
  }

  /** What cannot be read, a sentence for each: it is not sent. */
  List<String> unread() {
    return unread;
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

  /**
   * Adds what comes by standard input, under a name.
   *
   * @throws ConfigException if nothing can be called so
   */
  SentFile addPipe(String name) {
    Path path = PathText.parse(name);
    if (path.isAbsolute() || path.startsWith("..") || !path.normalize().toString().equals(name)) {
      throw new ConfigException(
          "no name below the receiver's directory: --name %s; write one such as src.tar"
              .formatted(name));
    }
    Treatment treatment =
        rules.treatment(
            new SendRules.Candidate(path, 0, () -> System.getProperty("user.name", "")));
    String full = named(Path.of("-"), path, treatment);
    SentFile file =
        new SentFile(
            files.size(),
            Path.of("-"),
            full,
            false,
            TransferWire.UNKNOWN_SIZE,
            TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
            0_644,
            treatment);
    files.add(file);
    return file;
  }

  /** What the receiver is to call it. */
  private String named(Path path, Path name, Treatment treatment) {
    String full = Path.of(treatment.into()).resolve(name).toString();
    Path other = names.put(full, path);
    if (other != null) {
      throw new ConfigException(
          "two files have one name at the receiver: name=%s, files=%s and %s; send them one after the other, or put one elsewhere by --rule"
              .formatted(full, other, path));
    }
    return full;
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Path base;

    Visitor(Path root, Path base) {
      this.root = root;
      this.base = base;
    }

    private Path name(Path path) {
      Path inside = root.relativize(path);
      return inside.toString().isEmpty() ? base : base.resolve(inside);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      visit(path, true);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      if (!attributes.isRegularFile()) {
        skipped.add(TerminalText.of("not a file, not sent: file=" + path));
      } else if (!Files.isReadable(path)) {
        unread.add("cannot be read, not sent: file=" + path);
      } else {
        visit(path, false);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException e) {
      unread.add("cannot be read, not sent: file=" + path);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) {
      if (e != null) {
        unread.add("cannot be read to its end, the rest is not sent: file=" + path);
      }
      return FileVisitResult.CONTINUE;
    }

    private void visit(Path path, boolean isDirectory) {
      try {
        add(path, isDirectory);
      } catch (IOException e) {
        unread.add("cannot be read, not sent: file=%s, error=%s".formatted(path, e));
      }
    }

    private void add(Path path, boolean isDirectory) throws IOException {
      Path name = name(path);
      if (!isSayable(name)) {
        unread.add(
            "name is not of this locale's characters, not sent: file=%s; set a UTF-8 locale, or give it another name"
                .formatted(path));
        return;
      }
      PosixFileAttributes attributes =
          Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      long size = isDirectory ? 0 : attributes.size();
      Treatment treatment =
          isDirectory
              ? Treatment.PLAIN
              : rules.treatment(
                  new SendRules.Candidate(name, size, () -> attributes.owner().getName()));
      files.add(
          new SentFile(
              files.size(),
              path,
              named(path, name, treatment),
              isDirectory,
              size,
              attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
              mode(attributes.permissions()),
              treatment));
    }

    /** Names are bytes, of which some are no text. */
    private boolean isSayable(Path name) {
      try {
        return Path.of(name.toString()).equals(name);
      } catch (InvalidPathException e) {
        return false;
      }
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
