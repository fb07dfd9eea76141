package io.linerate.core.counter;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where running programs leave files for other programs of their user: {@code
 * $XDG_RUNTIME_DIR/linerate}, or else {@code /run/linerate}, or else {@code linerate-USER} in the
 * folder for temporary files. It belongs to its user alone.
 */
public record ProgramFolder(List<Path> folders) {
  private static final System.Logger LOG = System.getLogger(ProgramFolder.class.getName());

  private static final String COUNTERS = ".counters";

  private static final int MAX_FILES = 10_000;

  /** Makes a file, which its user alone may read, and holds a {@link ProgramLock} on it. */
  @FunctionalInterface
  public interface Maker<T> {
    /**
     * Makes it.
     *
     * @throws FileAlreadyExistsException if there is one
     */
    T make(Path path) throws IOException;
  }

  public ProgramFolder {
    folders = List.copyOf(folders);
  }

  /** Of this user. */
  public static ProgramFolder ofUser() {
    return of(System.getenv(), System.getProperty("java.io.tmpdir", "/tmp"));
  }

  static ProgramFolder of(Map<String, String> environment, String temporary) {
    Set<Path> folders = new LinkedHashSet<>();
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    if (runtime.startsWith("/")) {
      folders.add(Path.of(runtime, "linerate"));
    }
    folders.add(Path.of("/run/linerate"));
    folders.add(Path.of(temporary, "linerate-" + System.getProperty("user.name", "user")));
    return new ProgramFolder(new ArrayList<>(folders));
  }

  /**
   * Makes a file in the first folder that can be had.
   *
   * @param start of its name: the number of the process, and what may follow it
   * @throws IOException if there is no such folder: the message says why
   */
  public <T> T create(String start, String ending, Maker<T> maker) throws IOException {
    List<String> reasons = new ArrayList<>();
    for (Path folder : folders) {
      try {
        prepare(folder);
        return create(folder.resolve(start), ending, maker);
      } catch (IOException e) {
        reasons.add(String.valueOf(e));
      }
    }
    throw new IOException("no folder for files of programs: reasons=" + reasons);
  }

  private static <T> T create(Path start, String ending, Maker<T> maker) throws IOException {
    for (int number = 1; number < MAX_FILES; number++) {
      Path path = Path.of(start + (number == 1 ? "" : "-" + number) + ending);
      try {
        return maker.make(path);
      } catch (FileAlreadyExistsException e) {
        // Of a program that runs, or what a killed one of the same number left.
        ProgramLock.removeLeftover(path);
      }
    }
    throw new IOException("too many files of one program: start=" + start);
  }

  /** Makes the counters file of a program. */
  CountersWriter create(ProgramInfo program) throws IOException {
    String name = program.name().replaceAll("[^A-Za-z0-9._-]", "_");
    String start = program.pid() + "-" + name.substring(0, Math.min(name.length(), 100));
    return create(start, COUNTERS, path -> new CountersWriter(program, path));
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
   * The files with an ending. Folders that somebody else could write to are left out, and so are
   * files that are none.
   */
  public List<Path> files(String ending) {
    List<Path> files = new ArrayList<>();
    for (Path folder : folders) {
      try {
        if (isOwn(folder)) {
          addFiles(folder, ending, files);
        }
      } catch (IOException e) { // Just removed, most likely.
        LOG.log(Level.DEBUG, "cannot read the folder of programs: folder=" + folder, e);
      }
    }
    return files;
  }

  private static void addFiles(Path folder, String ending, List<Path> files) throws IOException {
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, "*" + ending)) {
      for (Path path : paths) {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          files.add(path);
        }
      }
    }
  }

  /**
   * The programs that run and publish counters, in whatever PID namespace, oldest first, to be
   * closed by the caller. What killed programs left is removed.
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
    return files(COUNTERS).stream()
        .map(path -> open(path, waitNs))
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(reader -> reader.program().startedMs()))
        .toList();
  }

  private static Optional<CountersReader> open(Path path, long waitNs) {
    try {
      if (!ProgramLock.isHeld(path)) { // First: nobody finishes what a killed one has begun.
        throw new IOException("nobody runs who has made the file: file=" + path);
      }
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
