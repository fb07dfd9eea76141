package io.linerate.dashboard;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.state.HistoryRoom;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The programs of this user that run and publish their numbers. */
final class RunningPrograms implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RunningPrograms.class.getName());
  private static final int MOST = 256;

  /** For one that just writes: its numbers are read a second later, those of the others now. */
  private static final long TIMEOUT_NS = 10_000_000;

  private final ProgramFolder folder;
  private final JsonMembers http;
  private final LivePlaces places;
  private final HistoryRoom room = HistoryRoom.usual();
  private final Map<String, FollowedProgram> byKey = new ConcurrentHashMap<>();

  RunningPrograms(ProgramFolder folder, JsonMembers http, LivePlaces places) {
    this.folder = folder;
    this.http = http;
    this.places = places;
  }

  /**
   * Updates those that are known, forgets those that have ended, and finds new ones. One thread
   * only.
   */
  void update() {
    byKey
        .values()
        .removeIf(program -> {
          boolean isThere = isThere(program);
          if (!isThere) {
            program.close();
          }
          return !isThere;
        });
    for (CountersReader reader : folder.running(TIMEOUT_NS)) {
      String key = newKey(reader.program());
      FollowedProgram program = key == null ? null : follow(reader);
      if (key == null || program == null) {
        reader.close();
      } else {
        byKey.put(key, program);
      }
    }
  }

  /** One whose numbers make no sense is given up: the others are not to suffer from it. */
  private static boolean isThere(FollowedProgram program) {
    try {
      return program.update();
    } catch (RuntimeException | InternalError e) { // Of a file that becomes shorter, perhaps late.
      LOG.log(Level.DEBUG, "a program's numbers cannot be read", e);
      return false;
    }
  }

  /** The process's number, and one more for each further engine of it; null: it is known. */
  private @Nullable String newKey(ProgramInfo program) {
    String key = Long.toString(program.pid());
    for (int further = 2; byKey.size() < MOST; further++) {
      FollowedProgram known = byKey.get(key);
      if (known == null) {
        return key;
      }
      if (known.isOf(program)) {
        return null;
      }
      key = program.pid() + "-" + further;
    }
    return null;
  }

  private @Nullable FollowedProgram follow(CountersReader reader) {
    try {
      return new FollowedProgram(reader, http, places, room);
    } catch (RuntimeException | InternalError e) {
      LOG.log(Level.DEBUG, "a program's numbers cannot be read", e);
      return null; // It was stopped while it wrote, perhaps; it is tried again in a second.
    }
  }

  /** One of them. Any thread. */
  Optional<FollowedProgram> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /** All of them by their keys, oldest first. Any thread. */
  List<Map.Entry<String, FollowedProgram>> all() {
    return byKey.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, FollowedProgram>>comparingLong(
                    entry -> entry.getValue().info().startedMs())
                .thenComparing(Map.Entry.comparingByKey()))
        .toList();
  }

  @Override
  public void close() {
    byKey.values().forEach(FollowedProgram::close);
    byKey.clear();
  }
}
