package io.linerate.core.counter;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the counters files of a user's programs are: {@code $XDG_RUNTIME_DIR/linerate}, or else
 * {@code /run/linerate}, or else {@code linerate-USER} in the folder for temporary files. It
 * belongs to its user alone.
 */
public record CountersFolder(List<Path> folders) {
  private static final String ENDING = ".counters";
  private static final int MAX_ENGINES = 10_000;

  public CountersFolder {
    folders = List.copyOf(folders);
  }

  /** Of this user. */
  public static CountersFolder ofUser() {
    return of(System.getenv(), System.getProperty("java.io.tmpdir", "/tmp"));
  }

  static CountersFolder of(Map<String, String> environment, String temporary) {
    Set<Path> folders = new LinkedHashSet<>();
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (runtime.startsWith("/")) {
      folders.add(Path.of(runtime, "linerate"));
    }
    folders.add(Path.of("/run/linerate"));
    folders.add(Path.of(temporary, "linerate-" + System.getProperty("user.name", "user")));
    return new CountersFolder(new ArrayList<>(folders));
  }

  /** Makes the file of a program in the first folder that can be had. */
  CountersWriter create(ProgramInfo program) throws IOException {
    IOException failure = new IOException("no folder for counters files: folders=" + folders);
    for (Path folder : folders) {
      try {
        prepare(folder);
        return create(program, folder);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private static CountersWriter create(ProgramInfo program, Path folder) throws IOException {
    String name = program.name().replaceAll("[^A-Za-z0-9._-]", "_");
    String start = program.pid() + "-" + name.substring(0, Math.min(name.length(), 100));
    for (int engine = 1; engine < MAX_ENGINES; engine++) {
      Path path = folder.resolve(start + (engine == 1 ? "" : "-" + engine) + ENDING);
      try {
        return new CountersWriter(program, path);
      } catch (FileAlreadyExistsException e) {
        // Of a program that runs, or what a killed one of the same number left.
        ProgramLock.removeLeftover(path);
      }
    }
    throw new IOException("too many counters files: folder=" + folder + ", start=" + start);
  }

  private static void prepare(Path folder) throws IOException {
    Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rwx------");
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(mine));
    } catch (FileAlreadyExistsException e) {
      if (!isOwn(folder)) {
        throw new IOException("folder belongs to somebody else: folder=" + folder, e);
      }
    }
  }

  /** Whether nobody else can put files there. */
  private static boolean isOwn(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !Files.isWritable(folder)) {
      return false;
    }
    // By number: in a container the user may have no name.
    Object owner = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> may = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
    return owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        && !may.contains(PosixFilePermission.GROUP_WRITE)
        && !may.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /**
   * The programs that run, in whatever PID namespace, oldest first, to be closed by the caller.
   * What killed programs left is removed. Folders that somebody else could write to are left out,
   * and so are files that are none.
   */
  public List<CountersReader> running() {
    return running(CountersReader.USUAL_WAIT_NS);
  }

  /**
   * The same, for a caller that asks again soon.
   *
   * @param waitNs to wait, now and at each reading, for a program that just writes: one that does
   *     not finish is left out
   */
  public List<CountersReader> running(long waitNs) {
    List<CountersReader> running = new ArrayList<>();
    for (Path folder : folders) {
      try {
        if (isOwn(folder)) {
          addRunning(folder, running, waitNs);
        }
      } catch (IOException e) {
        // Just removed.
      }
    }
    running.sort((a, b) -> Long.compare(a.program().startedMs(), b.program().startedMs()));
    return running;
  }

  private static void addRunning(Path folder, List<CountersReader> running, long waitNs)
      throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, "*" + ENDING)) {
      for (Path path : paths) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          open(path, waitNs).ifPresent(running::add);
        }
      }
    }
  }

  private static Optional<CountersReader> open(Path path, long waitNs) {
    try {
      CountersReader reader = new CountersReader(path, waitNs);
      if (reader.isAlive()) {
        return Optional.of(reader);
      }
      reader.close();
    } catch (IOException e) {
      // It has just begun, or is none of a version that is known.
    }
    ProgramLock.removeLeftover(path);
    return Optional.empty();
  }
}
