package io.linerate.middlebox.firewall;

import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.TrackSettings;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The connections that pass, of each worker: both directions know the same. */
public final class Tracking {
  private final int capacity;
  private final TrackSettings settings;
  private final Map<Integer, Connections> workers = new ConcurrentHashMap<>();

  /** What one worker knows. */
  record Connections(ConnectionTable table, ConnectionTracker tracker, ConnectionTracker inner) {
    Connections(ConnectionTable table, TrackSettings settings) {
      this(table, new ConnectionTracker(table, settings), new ConnectionTracker(table, settings));
    }
  }

  /**
   * @param capacity connections of each worker at most
   */
  public Tracking(int capacity, TrackSettings settings) {
    this.capacity = capacity;
    this.settings = settings;
  }

  /** The connections of a worker. */
  Connections of(int worker, long nowNs) {
    return workers.computeIfAbsent(
        worker,
        _ -> new Connections(new ConnectionTable(capacity, nowNs, new SecureRandom()), settings));
  }
}
