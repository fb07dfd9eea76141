package io.linerate.dashboard;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.state.HistoryRoom;
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
  private final ProgramFeed feed;
  private volatile Moment moment;

  /**
   * @param reader closed with this
   * @param http how the server that shows it stands
   * @param places for clients
   * @param room for its history
   */
  FollowedProgram(CountersReader reader, JsonMembers http, LivePlaces places, HistoryRoom room) {
    this.reader = reader;
    moment = Moment.of(reader);
    List<JsonMembers> others = List.of(http, json -> json.name("readOnly").value(true));
    feed = new ProgramFeed(new ProgramState(info(), this::moment, Map::of, others), places, room);
    feed.history().add(moment);
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
    feed.history().add(now);
    feed.stale();
    feed.publish();
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

  ProgramFeed feed() {
    return feed;
  }

  /** Tells its clients that it has ended. */
  @Override
  public void close() {
    feed.live().close();
    feed.history().close();
    reader.close();
  }
}
