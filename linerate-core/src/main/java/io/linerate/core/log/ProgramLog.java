package io.linerate.core.log;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link System.Logger} goes in a program that names this class as its finder: the last 500
 * entries stay in memory, and a {@link LogPrinter} shows them, from INFO on unless told otherwise.
 * It spares the start the time that java.util.logging takes to set itself up.
 */
public final class ProgramLog extends System.LoggerFinder implements SampleSource {
  private static final int MAX_ENTRIES = 500;
  private static final int MAX_TEXT_LENGTH = 4_000;

  private final Deque<LogEntry> entries = new ArrayDeque<>(); // Guarded by itself.
  private final Map<Level, Long> counts = new EnumMap<>(Level.class); // Guarded by the entries.
  private long lastId; // Guarded by the entries.
  private volatile Level level = Level.INFO;
  private volatile LogPrinter printer = LogPrinter.STANDARD_ERROR;

  /** That of this process, if its loggers come from here. */
  public static Optional<ProgramLog> current() {
    return System.LoggerFinder.getLoggerFinder() instanceof ProgramLog log
        ? Optional.of(log)
        : Optional.empty();
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new ProgramLogger(name, isJdk(module), this);
  }

  private static boolean isJdk(Module module) {
    String name = String.valueOf(module.getName());
    return name.startsWith("java.") || name.startsWith("jdk.");
  }

  /** The least level that is logged. */
  public Level level() {
    return level;
  }

  /** Logs from this level on. Any thread, at any time. */
  public void level(Level newLevel) {
    level = newLevel;
  }

  /** Has what is logged from now on shown elsewhere than on standard error. Any thread. */
  public void printer(LogPrinter newPrinter) {
    printer = newPrinter;
  }

  boolean isLogged(Level wanted) {
    return wanted != Level.OFF && wanted.getSeverity() >= level.getSeverity();
  }

  /** The last entries, oldest first. Any thread. */
  public List<LogEntry> entries() {
    return entries(MAX_ENTRIES);
  }

  /** So many of the last entries at most, oldest first. Any thread. */
  public List<LogEntry> entries(int most) {
    synchronized (entries) {
      return entries.stream().skip(Math.max(0, entries.size() - most)).toList();
    }
  }

  void add(Level kind, String logger, String text, @Nullable Throwable thrown) {
    String whole = thrown == null ? text : text + ": " + thrown;
    String kept = whole.substring(0, Math.min(whole.length(), MAX_TEXT_LENGTH));
    LogEntry entry;
    synchronized (entries) {
      if (entries.size() == MAX_ENTRIES) {
        entries.removeFirst();
      }
      entry = new LogEntry(++lastId, System.currentTimeMillis(), kind, logger, kept);
      entries.add(entry);
      counts.merge(kind, 1L, Long::sum);
    }
    printer.print(entry, thrown);
  }

  /** Messages by level. */
  @Override
  public void collect(SampleSink sink) {
    Map<Level, Long> now;
    synchronized (entries) {
      now = new EnumMap<>(counts);
    }
    now.forEach((kind, messages) ->
        sink.counter(
            "linerate_log_messages_total",
            SampleUnit.NONE,
            messages,
            "level",
            kind.name().toLowerCase(Locale.ROOT)));
  }
}
