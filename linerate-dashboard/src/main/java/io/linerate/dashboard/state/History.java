package io.linerate.dashboard.state;

import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The totals of the last hour, once a second: of the program, its ports and its workers. Bounded,
 * in time and in the number of series.
 */
public final class History {
  public static final int SECONDS = 3_600;

  private static final int MOST_SERIES = 256;
  private static final long ABSENT = Long.MIN_VALUE;

  private final long[] timesMs = new long[SECONDS];
  private final Map<String, long[]> series = new LinkedHashMap<>();

  /** Moments that were noted, those forgotten included. */
  private long count;

  /** Notes how things stand. */
  public synchronized void add(Moment moment) {
    int at = (int) (count % SECONDS);
    timesMs[at] = moment.timeMs();
    series.values().forEach(values -> values[at] = ABSENT);
    numbers(moment.table())
        .forEach((name, value) -> {
          long[] values = series.get(name);
          if (values == null && series.size() < MOST_SERIES) {
            values = fresh();
            series.put(name, values);
          }
          if (values != null) {
            values[at] = value;
          }
        });
    count++;
  }

  private static long[] fresh() {
    long[] values = new long[SECONDS];
    Arrays.fill(values, ABSENT);
    return values;
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

  /** Writes the last moments as an object. */
  public synchronized void write(JsonWriter json, int seconds) throws IOException {
    long to = count;
    long from = Math.max(0, to - Math.min(seconds, SECONDS));
    json.beginObject();
    json.name("timesMs").beginArray();
    for (long i = from; i < to; i++) {
      json.value(timesMs[(int) (i % SECONDS)]);
    }
    json.endArray();
    json.name("series").beginObject();
    for (Map.Entry<String, long[]> one : series.entrySet()) {
      json.name(one.getKey()).beginArray();
      for (long i = from; i < to; i++) {
        long value = one.getValue()[(int) (i % SECONDS)];
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
