package io.linerate.dashboard;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramLock;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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

  private final Path path;
  private final ProgramLock lock;

  /** Makes the file: never readable by others, not even for a moment. */
  private DashboardFile(Path path, Entry entry) throws IOException {
    this.path =
        Files.createFile(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    lock = ProgramLock.take(path);
    try {
      Files.write(path, json(entry), StandardOpenOption.WRITE);
    } catch (IOException e) {
      close();
      throw e;
    }
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
  static Optional<DashboardFile> write(ProgramFolder folder, Entry entry) {
    try {
      return Optional.of(
          folder.create(
              String.valueOf(entry.pid()), ENDING, path -> new DashboardFile(path, entry)));
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot write the token's file: reason=" + e.getMessage());
      return Optional.empty();
    }
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

  /** The dashboards of running programs of this user. */
  public static List<Entry> running() {
    return running(ProgramFolder.ofUser());
  }

  static List<Entry> running(ProgramFolder folder) {
    return folder.files(ENDING).stream()
        .map(DashboardFile::read)
        .flatMap(Optional::stream)
        .sorted(Comparator.comparingLong(Entry::pid))
        .toList();
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
