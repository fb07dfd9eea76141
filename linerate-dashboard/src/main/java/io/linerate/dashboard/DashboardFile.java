package io.linerate.dashboard;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.ProgramLock;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A file that says where a running program's dashboard is and what its token is, for its owner's
 * eyes only (mode 600): so that {@code linerate ctl} finds it. Each dashboard of a process has one.
 * It is locked while the dashboard is there, and then gone; what a killed program left is removed
 * by the next that reads the folder.
 */
public final class DashboardFile implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(DashboardFile.class.getName());
  private static final String ENDING = ".dashboard";
  private static final int MAX_BYTES = 4_096;
  private static final int MOST_OF_ONE_PROCESS = 100;

  private final Path path;
  private final ProgramLock lock;

  private DashboardFile(Path path, ProgramLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * What a file says.
   *
   * @param pid number of the process, in its own PID namespace
   * @param startedMs when the program started to run, in ms since 1970
   * @param url without the token
   */
  public record Entry(long pid, String name, long startedMs, String url, String token) {}

  /**
   * Writes a file of this process. Without a place for it the program runs all the same.
   *
   * @return nothing if it could not be written
   */
  static Optional<DashboardFile> write(Path folder, Entry entry) {
    try {
      Files.createDirectories(folder, mode("rwx------"));
      if (!isOwn(folder)) {
        throw new IOException("folder belongs to somebody else, or others may write there");
      }
      Path path = create(folder, entry.pid());
      DashboardFile file = new DashboardFile(path, ProgramLock.take(path));
      file.write(entry);
      return Optional.of(file);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write the token's file: folder=" + folder + ", reason=" + e);
      return Optional.empty();
    }
  }

  private void write(Entry entry) throws IOException {
    try {
      Files.write(path, json(entry), StandardOpenOption.WRITE);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Never through a link, and never readable by others, not even for a moment. */
  private static Path create(Path folder, long pid) throws IOException {
    for (int i = 1; i <= MOST_OF_ONE_PROCESS; i++) {
      Path path = folder.resolve(pid + (i == 1 ? "" : "-" + i) + ENDING);
      try {
        return Files.createFile(path, mode("rw-------"));
      } catch (FileAlreadyExistsException e) {
        ProgramLock.removeLeftover(path);
      }
    }
    throw new IOException("process has too many dashboards: most=" + MOST_OF_ONE_PROCESS);
  }

  /**
   * Whether nobody else can put files there: another's file could lead to the server of somebody
   * else.
   */
  private static boolean isOwn(Path folder) throws IOException {
    Set<PosixFilePermission> may = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
    return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)
            .getName()
            .equals(System.getProperty("user.name"))
        && !may.contains(PosixFilePermission.GROUP_WRITE)
        && !may.contains(PosixFilePermission.OTHERS_WRITE);
  }

  private static FileAttribute<?> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static byte[] json(Entry entry) {
    return JsonMembers.object(json -> {
      json.name("pid").value(entry.pid());
      json.name("name").value(entry.name());
      json.name("startedMs").value(entry.startedMs());
      json.name("url").value(entry.url());
      json.name("token").value(entry.token());
    });
  }

  /** Where the files of this user's programs are. */
  public static Path folder() {
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && !runtime.isBlank()) {
      return Path.of(runtime, "linerate");
    }
    Path run = Path.of("/run");
    return Files.isWritable(run)
        ? run.resolve("linerate")
        : Path.of(
            System.getProperty("java.io.tmpdir"), "linerate-" + System.getProperty("user.name"));
  }

  /** The dashboards of running programs that this user may know of. */
  public static List<Entry> running(Path folder) {
    List<Entry> entries = new ArrayList<>();
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !isOwn(folder)) {
        return entries;
      }
    } catch (IOException e) {
      return entries;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
      for (Path file : files) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          read(file).ifPresent(entries::add);
        }
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot read the folder of programs: folder=" + folder);
    }
    entries.sort(Comparator.comparingLong(Entry::pid));
    return entries;
  }

  private static Optional<Entry> read(Path file) {
    try (ProgramLock lock = ProgramLock.open(file)) {
      if (!lock.isHeld()) {
        ProgramLock.removeLeftover(file);
        return Optional.empty();
      }
      if (Files.size(file) > MAX_BYTES) {
        return Optional.empty();
      }
      JsonObject json = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
      return Optional.of(
          new Entry(
              json.get("pid").getAsLong(),
              json.get("name").getAsString(),
              json.get("startedMs").getAsLong(),
              json.get("url").getAsString(),
              json.get("token").getAsString()));
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // It is being written, or it is no file of ours.
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot remove the token's file: file=" + path);
    }
    lock.close();
  }
}
