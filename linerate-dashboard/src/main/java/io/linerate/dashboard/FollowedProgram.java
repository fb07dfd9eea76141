package io.linerate.dashboard;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.LiveFeed;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.http.SharedAnswer;
import io.linerate.dashboard.state.History;
import io.linerate.dashboard.state.Metrics;
import io.linerate.dashboard.state.Moment;
import io.linerate.dashboard.state.ProgramState;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * A program of another process whose numbers are read again and again, and the clients that follow
 * it.
 */
final class FollowedProgram implements AutoCloseable {
  private final CountersReader reader;
  private final SharedAnswer state;
  private final SharedAnswer metrics;
  private final History history = new History();
  private final LiveFeed live;
  private volatile Moment moment;

  /**
   * @param reader closed with this
   * @param http how the server that shows it stands
   * @param places for clients
   */
  FollowedProgram(CountersReader reader, JsonMembers http, LivePlaces places) {
    this.reader = reader;
    live = new LiveFeed(places);
    moment = Moment.of(reader);
    history.add(moment);
    ProgramState program =
        new ProgramState(
            info(),
            this::moment,
            Map::of,
            List.of(http, json -> json.name("readOnly").value(true)));
    state = new SharedAnswer(program::json);
    metrics = new SharedAnswer(() -> Metrics.text(moment.table()));
  }

  /**
   * Reads its numbers. One thread at a time.
   *
   * @return whether it still runs; if not, the numbers are its last ones
   */
  boolean update() {
    boolean isAlive = reader.isAlive();
    try {
      take(Moment.of(reader));
    } catch (UncheckedIOException e) {
      // It was stopped or killed while it wrote: what was seen before is the last that is certain.
    }
    return isAlive;
  }

  private void take(Moment now) {
    if (now.timeMs() == moment.timeMs()) {
      return;
    }
    moment = now;
    history.add(now);
    state.stale();
    metrics.stale();
    if (live.hasClients()) {
      live.publish(state.get());
    }
  }

  /** Whether it is this program, and not another engine of the same process. */
  boolean isOf(ProgramInfo program) {
    return info().equals(program);
  }

  ProgramInfo info() {
    return reader.program();
  }

  /** What was seen last. */
  Moment moment() {
    return moment;
  }

  SharedAnswer state() {
    return state;
  }

  /** As Prometheus reads it. */
  SharedAnswer metrics() {
    return metrics;
  }

  History history() {
    return history;
  }

  LiveFeed live() {
    return live;
  }

  /** Tells its clients that it has ended. */
  @Override
  public void close() {
    live.close();
    reader.close();
  }
}
