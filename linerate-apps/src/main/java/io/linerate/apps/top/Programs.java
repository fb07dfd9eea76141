package io.linerate.apps.top;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramInfo;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The programs of a user that run, and what was seen of each. */
final class Programs implements AutoCloseable {
  /** For one that just writes: it is read the next time. */
  private static final long WAIT_NS = 10_000_000;

  private final ProgramFolder folder;
  private final Map<ProgramInfo, Watched> followed = new LinkedHashMap<>();

  Programs(ProgramFolder folder) {
    this.folder = folder;
  }

  /** Reads the numbers of all, finds new programs and forgets those that have ended. */
  void refresh() {
    followed
        .values()
        .removeIf(program -> {
          boolean isAlive = program.refresh();
          if (!isAlive) {
            program.close();
          }
          return !isAlive;
        });
    for (CountersReader reader : folder.running(WAIT_NS)) {
      if (followed.containsKey(reader.program())) {
        reader.close();
      } else {
        follow(reader).ifPresent(program -> followed.put(reader.program(), program));
      }
    }
  }

  private static Optional<Watched> follow(CountersReader reader) {
    try {
      return Optional.of(Watched.of(reader));
    } catch (UncheckedIOException | InternalError e) {
      reader.close(); // It ended, or its file was cut; if not, it is found again.
      return Optional.empty();
    }
  }

  /** Those that run, oldest first. */
  Collection<Watched> all() {
    return followed.values();
  }

  /** One that was found in another way, and is closed with the others. */
  Watched add(CountersReader reader) {
    Watched program = Watched.of(reader);
    followed.put(reader.program(), program);
    return program;
  }

  @Override
  public void close() {
    followed.values().forEach(Watched::close);
    followed.clear();
  }
}
