package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.Body;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The totals of a program's last day, in steps that are longer the older they are: of the program,
 * its ports, workers, elements and edges. Bounded, in time and in the number of series. A series of
 * what is gone stays until the day has nothing of it any more, or until its place is needed.
 */
public final class History implements AutoCloseable {
  /** How far back it goes. */
  public static final int SECONDS = 86_400;

  /** What of a history is given to who does not say: that of single elements and edges is long. */
  public static final String USUAL_SERIES = "totals,drop,generator,port,worker";

  private static final int SECONDS_SHORT = 3_600;
  private static final int MOST_SERIES = 1_024;

  /** Answers of different length or content that are kept; the page asks for one. */
  private static final int MOST_ANSWERS = 4;

  private static final int MOST_NAMES_LENGTH = 1_024;
  private static final long ABSENT = Long.MIN_VALUE;

  /** Each second of 10 minutes, then each tenth of two hours, then each minute. */
  private final Level[] levels = {
    new Level(1, 600), new Level(10_000, 720), new Level(60_000, 1_440)
  };

  /** What a series takes in memory in the end. */
  static final int SERIES_BYTES = (600 + 720 + 1_440) * Long.BYTES;

  private final HistoryRoom room;
  private final Map<String, Series> series = new LinkedHashMap<>();

  /** Of the moments that were noted until now, by what was asked for. */
  private final Map<String, Body> answers = new HashMap<>();

  /** The times of one step, the oldest first, and where their numbers are. */
  private static final class Level {
    private final long stepMs;
    private final long[] timesMs;
    private int first;
    private int size;

    Level(long stepMs, int moments) {
      this.stepMs = stepMs;
      timesMs = new long[moments];
    }

    int slot(int i) {
      return (first + i) % timesMs.length;
    }

    int append(long timeMs) {
      int slot = slot(size++);
      timesMs[slot] = timeMs;
      return slot;
    }

    boolean isFull() {
      return size == timesMs.length;
    }

    void removeFirst() {
      first = slot(1);
      size--;
    }
  }

  /** The totals of one thing at the times of each level. */
  private static final class Series {
    private final long[][] values;
    private long lastSeenMs;

    Series(int levels) {
      values = new long[levels][];
    }

    void put(Level level, int number, int slot, long value) {
      if (values[number] == null && value != ABSENT) {
        values[number] = new long[level.timesMs.length];
        Arrays.fill(values[number], ABSENT);
      }
      if (values[number] != null) {
        values[number][slot] = value;
      }
    }

    long value(int level, int slot) {
      return values[level] == null ? ABSENT : values[level][slot];
    }
  }

  /**
   * @param room that it shares with others
   */
  public History(HistoryRoom room) {
    this.room = room;
  }

  /** Notes how things stand. */
  public synchronized void add(Moment moment) {
    answers.clear();
    makeRoom(0);
    int slot = levels[0].append(moment.timeMs());
    Map<String, Long> numbers = HistoryNumbers.of(moment.table());
    series.forEach((name, known) -> note(known, slot, moment.timeMs(), numbers.remove(name)));
    forget(oldestMs());
    numbers.forEach((name, value) -> {
      if (hasPlace(moment.timeMs())) {
        Series one = series.computeIfAbsent(name, _ -> new Series(levels.length));
        note(one, slot, moment.timeMs(), value);
      }
    });
  }

  private void note(Series one, int slot, long timeMs, @Nullable Long value) {
    one.put(levels[0], 0, slot, value == null ? ABSENT : value);
    one.lastSeenMs = value == null ? one.lastSeenMs : timeMs;
  }

  /** Moves the oldest moment of a full level on, if it is the last one of a step there. */
  private void makeRoom(int number) {
    Level level = levels[number];
    if (!level.isFull()) {
      return;
    }
    int oldest = level.slot(0);
    int coarser = number + 1;
    if (coarser < levels.length) {
      long stepMs = levels[coarser].stepMs;
      long timeMs = level.timesMs[oldest];
      if (timeMs / stepMs != level.timesMs[level.slot(1)] / stepMs) {
        makeRoom(coarser);
        int slot = levels[coarser].append(timeMs);
        series
            .values()
            .forEach(one -> one.put(levels[coarser], coarser, slot, one.value(number, oldest)));
      }
    }
    level.removeFirst();
  }

  private long oldestMs() {
    for (int i = levels.length - 1; i >= 0; i--) {
      if (levels[i].size > 0) {
        return levels[i].timesMs[levels[i].first];
      }
    }
    return Long.MIN_VALUE;
  }

  /** Gives up series that nothing was seen of since then. */
  private boolean forget(long beforeMs) {
    int before = series.size();
    series.values().removeIf(one -> one.lastSeenMs < beforeMs);
    room.giveBack(before - series.size());
    return series.size() < before;
  }

  /** Whether there may be one more series, if need be in place of what is gone for longest. */
  private boolean hasPlace(long nowMs) {
    if (series.size() < MOST_SERIES && room.take()) {
      return true;
    }
    long oldest = series.values().stream().mapToLong(one -> one.lastSeenMs).min().orElse(nowMs);
    return oldest < nowMs && forget(oldest + 1) && room.take();
  }

  /**
   * Answers with as many of the last seconds as are asked for: what several ask for is made once
   * until there is another moment.
   */
  public void serve(Call call) throws IOException {
    int seconds = (int) call.number("seconds", 1, SECONDS, SECONDS_SHORT);
    String names = call.query("series").orElse(USUAL_SERIES);
    if (names.length() > MOST_NAMES_LENGTH) {
      throw new Refusal(400, "too many series: most=" + MOST_NAMES_LENGTH + " letters");
    }
    Body known = answer(seconds, names);
    if (known == null) {
      call.json(json -> write(json, seconds, names));
    } else {
      call.json(known);
    }
  }

  /** The answer for all who ask the same; null if too many different ones were asked for. */
  synchronized @Nullable Body answer(int seconds, String names) {
    String key = seconds + " " + names;
    if (!answers.containsKey(key) && answers.size() == MOST_ANSWERS) {
      return null;
    }
    return answers.computeIfAbsent(
        key, _ -> new Body(JsonMembers.bytes(json -> write(json, seconds, names))));
  }

  /** A time that is kept. */
  private record Kept(int level, int slot) {}

  synchronized void write(JsonWriter json, int seconds, String names) throws IOException {
    List<Kept> kept = lastOnes(seconds);
    json.beginObject();
    json.name("timesMs").beginArray();
    for (Kept one : kept) {
      json.value(levels[one.level].timesMs[one.slot]);
    }
    json.endArray();
    json.name("series").beginObject();
    List<String> starts = Stream.of(names.split(",", -1)).map(name -> name + ".").toList();
    for (Map.Entry<String, Series> one : series.entrySet()) {
      if (starts.stream().anyMatch(one.getKey()::startsWith)) {
        write(json.name(one.getKey()), one.getValue(), kept);
      }
    }
    json.endObject();
    json.endObject();
  }

  /** The times of the last seconds, the oldest first. */
  private List<Kept> lastOnes(int seconds) {
    Level finest = levels[0];
    List<Kept> kept = new ArrayList<>();
    if (finest.size == 0) {
      return kept;
    }
    long fromMs = finest.timesMs[finest.slot(finest.size - 1)] - 1_000L * seconds;
    for (int number = levels.length - 1; number >= 0; number--) {
      for (int i = 0; i < levels[number].size; i++) {
        int slot = levels[number].slot(i);
        if (levels[number].timesMs[slot] > fromMs) {
          kept.add(new Kept(number, slot));
        }
      }
    }
    return kept;
  }

  private static void write(JsonWriter json, Series one, List<Kept> kept) throws IOException {
    json.beginArray();
    for (Kept at : kept) {
      long value = one.value(at.level, at.slot);
      if (value == ABSENT) {
        json.nullValue();
      } else {
        json.value(value);
      }
    }
    json.endArray();
  }

  /** Gives its room back. */
  @Override
  public synchronized void close() {
    room.giveBack(series.size());
    series.clear();
    answers.clear();
  }
}
