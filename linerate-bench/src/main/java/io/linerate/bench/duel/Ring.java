package io.linerate.bench.duel;

import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The contestants of one match, each in a folder of its own: started, fed and paused. */
final class Ring implements AutoCloseable {
  private static final int FEED_TRIES = 100;
  private static final int FEED_PAUSE_MS = 100;

  private final SequencedMap<String, Contestant> contestants = new LinkedHashMap<>();

  private Ring() {}

  /** Starts all of them at once, since most of it is waiting. */
  static Ring open(Match match, Session session) {
    Ring ring = new Ring();
    try {
      for (String name : match.contestants()) {
        ring.contestants.put(name, ring.launch(name, match, session));
      }
      ring.contestants.forEach((name, contestant) -> prepare(name, contestant, match, session));
      return ring;
    } catch (RuntimeException e) {
      ring.close();
      throw e;
    }
  }

  SequencedMap<String, Contestant> contestants() {
    return contestants;
  }

  private Contestant launch(String name, Match match, Session session) {
    Path folder = TextFiles.folder(session.folder().resolve(name));
    removeSocket(folder);
    return Contestant.launch(
        name.equals(Match.JAVA)
            ? match.javaCommand(
                session.javaCommand(match.main().getFirst(), options(match, session)),
                folder,
                session.cpu())
            : match.cCommand(name, session));
  }

  /** Where packets are free, what the compiler makes of the program decides: it is watched. */
  private static String[] options(Match match, Session session) {
    return match.feed().isFree()
        ? CompilerLog.options(compilerLog(session)).toArray(String[]::new)
        : new String[0];
  }

  /** Where the Java contestant of a match leaves what its compiler says. */
  static Path compilerLog(Session session) {
    return session.folder().resolve("compiler.xml");
  }

  /** A contestant that was killed leaves it. */
  private static void removeSocket(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve(Feed.SOCKET));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove a socket: folder=" + folder, e);
    }
  }

  private static void prepare(String name, Contestant contestant, Match match, Session session) {
    contestant.awaitReady();
    Path folder = session.folder().resolve(name);
    match
        .feed()
        .generator(folder, session.otherCpu())
        .ifPresent(command -> feed(contestant, command, folder.resolve("generator.log")));
    contestant.pause();
  }

  private static void feed(Contestant contestant, java.util.List<String> command, Path log) {
    contestant.feedFrom(command, log);
    for (int i = 0; i < FEED_TRIES; i++) {
      if (contestant.measure(FEED_PAUSE_MS).received() > 0) {
        return;
      }
    }
    throw new SkipException("generator sends nothing: command=" + String.join(" ", command));
  }

  @Override
  public void close() {
    contestants.values().forEach(Contestant::close);
  }
}
