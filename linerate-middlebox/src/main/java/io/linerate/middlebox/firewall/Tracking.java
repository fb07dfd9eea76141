package io.linerate.middlebox.firewall;

import io.linerate.middlebox.session.Upkeep;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.TrackSettings;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The connections that pass, of each worker: both directions know the same. */
public final class Tracking {
  private final int capacity;
  private final TrackSettings settings;
  private final int namePages;
  private final TableHandover handover;
  private final Optional<RuleBook> rules;
  private final Map<Integer, Connections> workers = new ConcurrentHashMap<>();

  /** What one worker knows. */
  record Connections(
      ConnectionTable table,
      ConnectionTracker tracker,
      ConnectionTracker inner,
      Optional<ConnectionNames> names,
      Upkeep upkeep,
      int notRestored) {
    Connections(
        ConnectionTable table,
        TrackSettings settings,
        Optional<ConnectionNames> names,
        long nowNs,
        Optional<TableHandover.Copy> copy,
        int notRestored) {
      this(
          table,
          names.isPresent()
              ? new ConnectionTracker(table, settings).oneByOne()
              : new ConnectionTracker(table, settings),
          new ConnectionTracker(table, settings),
          names,
          new Upkeep(table, nowNs, copy),
          notRestored);
    }
  }

  /**
   * @param capacity connections of each worker at most
   */
  public Tracking(int capacity, TrackSettings settings) {
    this(capacity, settings, 0);
  }

  /**
   * As {@link #Tracking(int, TrackSettings)}, for rules by name.
   *
   * @param namePages of {@link io.linerate.track.OrderedBytes}, of each worker; 0: no rule has a
   *     name
   */
  public Tracking(int capacity, TrackSettings settings, int namePages) {
    this(capacity, settings, namePages, TableHandover.NONE, Optional.empty());
  }

  private Tracking(
      int capacity,
      TrackSettings settings,
      int namePages,
      TableHandover handover,
      Optional<RuleBook> rules) {
    this.capacity = capacity;
    this.settings = settings;
    this.namePages = namePages;
    this.handover = handover;
    this.rules = rules;
  }

  /**
   * With tables that are handed over. A connection is not restored that no rule would let begin.
   *
   * @param book the rules that hold when tables begin
   * @throws IllegalArgumentException if there are rules by name: what was read of connections
   *     cannot be copied
   */
  public Tracking withHandover(TableHandover some, RuleBook book) {
    if (namePages > 0 && !some.equals(TableHandover.NONE)) {
      throw new IllegalArgumentException(
          "connections cannot be copied that are read for names: namePages=" + namePages);
    }
    return new Tracking(capacity, settings, namePages, some, Optional.of(book));
  }

  /** The connections of a worker. */
  Connections of(int worker, long nowNs) {
    return workers.computeIfAbsent(worker, _ -> connections(worker, nowNs));
  }

  private Connections connections(int worker, long nowNs) {
    if (namePages == 0) {
      ConnectionTable table = new ConnectionTable(capacity, nowNs, new SecureRandom());
      AtomicInteger refused = new AtomicInteger();
      Optional<TableHandover.Copy> copy =
          handover.restoreAndCopy(
              worker,
              table,
              nowNs,
              TableHandover.withTimeouts(table, settings, nowNs, restored(table, refused)));
      return new Connections(table, settings, Optional.empty(), nowNs, copy, refused.get());
    }
    ConnectionNames names = new ConnectionNames(namePages);
    AtomicReference<@Nullable ConnectionTable> known = new AtomicReference<>();
    ConnectionTable table =
        new ConnectionTable(
            capacity,
            nowNs,
            new SecureRandom(),
            number -> names.forget(Objects.requireNonNull(known.get()).records(), number));
    known.set(table);
    return new Connections(table, settings, Optional.of(names), nowNs, Optional.empty(), 0);
  }

  private IntConsumer restored(ConnectionTable table, AtomicInteger refused) {
    if (rules.isEmpty()) {
      return _ -> {};
    }
    RestoredRules checked = new RestoredRules(rules.get(), settings.picksUp());
    return number -> {
      if (!checked.pass(table.records(), number)) {
        table.remove(number);
        refused.incrementAndGet();
      }
    };
  }
}
