package io.linerate.dashboard.state;

import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.Body;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The totals of the last hour, once a second: of the program, its ports and its workers. Bounded,
 * in time and in the number of series. A series of what is gone stays until the hour has nothing of
 * it any more, or until its place is needed.
 */
public final class History {
  public static final int SECONDS = 3_600;

  private static final int MOST_SERIES = 256;

  /** Answers of different length that are kept; the page asks for one. */
  private static final int MOST_SPANS = 4;

  private static final long ABSENT = Long.MIN_VALUE;

  private final long[] timesMs = new long[SECONDS];
  private final Map<String, Series> series = new LinkedHashMap<>();

  /** Of the moments that were noted until now, by the seconds that they go back. */
  private final Map<Integer, Body> answers = new HashMap<>();

  /** Moments that were noted, those forgotten included. */
  private long count;

  /** The totals of one thing at each of the moments. */
  private static final class Series {
    private final long[] values = new long[SECONDS];
    private long lastSeen;

    Series() {
      Arrays.fill(values, ABSENT);
    }

    void note(long moment, @Nullable Long value) {
      values[(int) (moment % SECONDS)] = value == null ? ABSENT : value;
      lastSeen = value == null ? lastSeen : moment;
    }
  }

  /** Notes how things stand. */
  public synchronized void add(Moment moment) {
    answers.clear();
    timesMs[(int) (count % SECONDS)] = moment.timeMs();
    Map<String, Long> numbers = numbers(moment.table());
    series.forEach((name, known) -> known.note(count, numbers.remove(name)));
    series.values().removeIf(known -> count - known.lastSeen >= SECONDS);
    numbers.forEach((name, value) -> {
      if (hasPlace()) {
        series.computeIfAbsent(name, _ -> new Series()).note(count, value);
      }
    });
    count++;
  }

  /** Whether there may be one more series, if need be in place of what is gone for longest. */
  private boolean hasPlace() {
    if (series.size() < MOST_SERIES) {
      return true;
    }
    long oldest = series.values().stream().mapToLong(known -> known.lastSeen).min().orElse(count);
    return oldest < count && series.values().removeIf(known -> known.lastSeen == oldest);
  }

  private static Map<String, Long> numbers(SampleTable table) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("totals.received", table.value("linerate_received_packets_total"));
    numbers.put("totals.sent", table.value("linerate_sent_packets_total"));
    numbers.put("totals.dropped", table.lost());
    port(numbers, table, "rxPackets", "received_packets");
    port(numbers, table, "rxBytes", "received_bytes");
    port(numbers, table, "txPackets", "sent_packets");
    port(numbers, table, "txBytes", "sent_bytes");
    port(numbers, table, "missed", "missed_packets");
    each(numbers, table, "linerate_worker_busy_seconds_total", "worker", "busyNs");
    each(numbers, table, "linerate_worker_idle_seconds_total", "worker", "idleNs");
    return numbers;
  }

  private static void port(
      Map<String, Long> numbers, SampleTable table, String series, String what) {
    each(numbers, table, "linerate_port_" + what + "_total", "port", series);
  }

  private static void each(
      Map<String, Long> numbers, SampleTable table, String name, String what, String series) {
    for (Sample sample : table.all(name)) {
      numbers.put(what + "." + label(sample, what) + "." + series, sample.value());
    }
  }

  /** Answers with as many of the last seconds as are asked for. */
  public void serve(Call call) throws IOException {
    call.json(answer((int) call.number("seconds", 1, SECONDS, SECONDS)));
  }

  /**
   * The last moments as an object, made once for all who ask until there is another moment. Who
   * asks for one more number of seconds than are kept is given the whole hour.
   */
  synchronized Body answer(int seconds) {
    boolean isKept = answers.containsKey(seconds) || answers.size() < MOST_SPANS;
    return answers.computeIfAbsent(
        isKept ? seconds : SECONDS, span -> new Body(JsonMembers.bytes(json -> write(json, span))));
  }

  synchronized void write(JsonWriter json, int seconds) throws IOException {
    long from = Math.max(0, count - seconds);
    json.beginObject();
    json.name("timesMs").beginArray();
    for (long i = from; i < count; i++) {
      json.value(timesMs[(int) (i % SECONDS)]);
    }
    json.endArray();
    json.name("series").beginObject();
    for (Map.Entry<String, Series> one : series.entrySet()) {
      json.name(one.getKey()).beginArray();
      for (long i = from; i < count; i++) {
        long value = one.getValue().values[(int) (i % SECONDS)];
        if (value == ABSENT) {
          json.nullValue();
        } else {
          json.value(value);
        }
      }
      json.endArray();
    }
    json.endObject();
    json.endObject();
  }
}
