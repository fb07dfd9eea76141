package io.linerate.apps.transfer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * All files that are being received, by whatever worker. Nothing that a sender says leads out of
 * the directory that they are put into. Any thread.
 */
final class Incoming {
  /** What is not whole yet lies in here, in the directory that files are put into. */
  static final String PARTS = ".linerate-receive";

  private static final int MOST_OPEN = 1_024;
  private static final int MOST_PROBLEMS = 20;

  /** After which another sender may take a file over. */
  private static final long IDLE_NS = 10_000_000_000L;

  private static final int NAME_BYTES = 16;

  private final Path into;
  private final SecureRandom random = new SecureRandom();
  private final Map<Long, ReceivedFile> byHandle = new ConcurrentHashMap<>();
  private final Map<String, ReceivedFile> byName = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private long problemCount;
  private long files;
  private long bytes;
  private boolean isOver;

  /**
   * @param into a directory that is there
   */
  Incoming(Path into) {
    this.into = into;
  }

  /** What is answered to who wants to send a file. */
  sealed interface Answer permits Wanted, There, Refused {}

  /** It is to be sent, but for what is there. */
  record Wanted(ReceivedFile file) implements Answer {}

  /** It is there already. */
  record There() implements Answer {}

  /** It is not taken. */
  record Refused(String why) implements Answer {}

  /** A file is to be sent. */
  synchronized Answer open(FileFacts facts, long transfer, boolean isDirectory, long nowNs) {
    Optional<Path> found = target(facts.name());
    if (found.isEmpty()) {
      return refused(facts, "its name leads elsewhere");
    }
    Path target = found.get();
    try {
      if (isDirectory) {
        return directory(facts, target);
      }
      ReceivedFile before = byName.get(facts.name());
      if (before != null && before.transfer == transfer && before.facts.equals(facts)) {
        before.use(nowNs);
        return new Wanted(before);
      }
      if (before != null && before.transfer != transfer && nowNs - before.usedNs() < IDLE_NS) {
        return refused(facts, "another sender sends it");
      }
      if (before != null) {
        forget(before);
        before.close();
      }
      if (isThere(target, facts)) {
        return new There();
      }
      if (byHandle.size() >= MOST_OPEN) {
        return new Refused("too many files are open");
      }
      return begin(facts, transfer, target, nowNs);
    } catch (IOException e) {
      return refused(facts, text(e));
    }
  }

  private Refused refused(FileFacts facts, String why) {
    problem("file is not taken: file=%s, why=%s".formatted(facts.name(), why));
    return new Refused(why);
  }

  private static Answer directory(FileFacts facts, Path target) throws IOException {
    Files.createDirectories(target);
    Files.setPosixFilePermissions(target, ReceivedFile.permissions(facts.mode() | 0_300));
    return new There();
  }

  /** As rsync has it: what has the same size and time is the same. */
  private static boolean isThere(Path target, FileFacts facts) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    BasicFileAttributes there =
        Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!there.isRegularFile()) {
      throw new FileSystemException(target.toString(), null, "something else has this name");
    }
    return there.size() == facts.size()
        && there.lastModifiedTime().to(TimeUnit.NANOSECONDS) == facts.modifiedNs();
  }

  private Answer begin(FileFacts facts, long transfer, Path target, long nowNs) throws IOException {
    Path parent = target.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path parts = into.resolve(PARTS);
    Files.createDirectories(parts);
    String name = partName(facts.name());
    ReceivedFile file =
        new ReceivedFile(
            random.nextLong(),
            transfer,
            facts,
            parts.resolve(name + ".part"),
            parts.resolve(name + ".journal"),
            target);
    file.use(nowNs);
    byHandle.put(file.handle, file);
    byName.put(facts.name(), file);
    return new Wanted(file);
  }

  /** The same for the same file each time, and as long whatever that is called. */
  private static String partName(String name) {
    byte[] hash = FileSender.digest().digest(name.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
  }

  /** Where a file is put: none, if its name leads out of the directory, or through a link. */
  private Optional<Path> target(String name) {
    try {
      Path relative = Path.of(name);
      boolean isInside =
          !name.isEmpty()
              && !relative.isAbsolute()
              && relative.normalize().equals(relative)
              && !relative.startsWith("..")
              && !relative.startsWith(PARTS)
              && !relative.toString().isEmpty();
      if (!isInside) {
        return Optional.empty();
      }
      Path at = into;
      for (Path step : relative) {
        at = at.resolve(step);
        if (Files.isSymbolicLink(at)) {
          return Optional.empty();
        }
      }
      return Optional.of(at);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  Optional<ReceivedFile> find(long handle) {
    return Optional.ofNullable(byHandle.get(handle));
  }

  /** Gives a file its name if all of it is there. */
  synchronized boolean finish(ReceivedFile file) throws IOException {
    if (!file.isWhole() || !byHandle.containsKey(file.handle)) {
      return false;
    }
    file.finish();
    forget(file);
    files++;
    return true;
  }

  synchronized void count(long arrivedBytes) {
    bytes += arrivedBytes;
  }

  /** A file cannot be written. */
  synchronized String fail(ReceivedFile file, IOException cause) {
    String why = text(cause);
    problem("file cannot be written: file=%s, why=%s".formatted(file.facts.name(), why));
    forget(file);
    try {
      file.discard();
    } catch (IOException e) {
      problem("file cannot be removed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
    }
    return why;
  }

  private static String text(IOException e) {
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private void forget(ReceivedFile file) {
    byHandle.remove(file.handle);
    byName.remove(file.facts.name(), file);
  }

  private void problem(String what) {
    problemCount++;
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(what);
    }
  }

  /** A sender has sent all that it has. */
  synchronized void over() {
    isOver = true;
  }

  synchronized boolean isOver() {
    return isOver && byHandle.isEmpty();
  }

  /** Closes what is open; what is not whole stays for the next time. */
  synchronized List<String> close() {
    List<String> all = new ArrayList<>(problems);
    if (problemCount > problems.size()) {
      all.add("and %d more".formatted(problemCount - problems.size()));
    }
    int left = byHandle.size();
    for (ReceivedFile file : List.copyOf(byHandle.values())) {
      try {
        file.close();
      } catch (IOException e) {
        all.add("file cannot be closed: file=%s, why=%s".formatted(file.facts.name(), text(e)));
      }
    }
    if (left > 0) {
      all.add(
          "files are not whole: files=%d, directory=%s; let them be sent again, which goes on where this has ended"
              .formatted(left, into.resolve(PARTS)));
    }
    removeParts();
    return all;
  }

  private void removeParts() {
    Path parts = into.resolve(PARTS);
    try {
      boolean isEmpty;
      try (DirectoryStream<Path> some = Files.newDirectoryStream(parts)) {
        isEmpty = !some.iterator().hasNext();
      }
      if (isEmpty) {
        Files.delete(parts);
      }
    } catch (IOException e) {
      // It is not there, or somebody else's part is in it.
    }
  }

  synchronized long files() {
    return files;
  }

  synchronized long bytes() {
    return bytes;
  }
}
