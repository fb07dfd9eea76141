package io.linerate.dashboard.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.Sample;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.dashboard.http.Body;
import io.linerate.dashboard.http.JsonMembers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final int SERIES = 256;

  private final History history = new History();
  private long timeMs;

  /** A second later, with these workers. */
  private void add(int... workers) {
    List<Sample> samples = new ArrayList<>();
    SampleSink sink = samples::add;
    for (int worker : workers) {
      sink.counter(
          "linerate_worker_busy_seconds_total",
          SampleUnit.NANOSECONDS,
          timeMs,
          "worker",
          "" + worker);
    }
    timeMs += 1_000;
    history.add(new Moment(timeMs, new SampleTable(samples)));
  }

  private JsonObject series(int seconds) {
    byte[] json = ((JsonMembers) writer -> history.write(writer, seconds)).toBytes();
    return JsonParser.parseString(new String(json, StandardCharsets.UTF_8))
        .getAsJsonObject()
        .getAsJsonObject("series");
  }

  private static String busy(int worker) {
    return "worker." + worker + ".busyNs";
  }

  @Test
  void shouldBeMadeOnceForAllWhoAskUntilTheNextMoment() {
    add(0);
    Body first = history.answer(60);
    assertThat(history.answer(60)).isSameAs(first);
    for (int seconds = 1; seconds < History.SECONDS; seconds++) {
      history.answer(seconds);
    }
    assertThat(history.answer(60)).isSameAs(first);
    assertThat(history.answer(1_000)).isSameAs(history.answer(2_000));
    add(0);
    assertThat(history.answer(60)).isNotSameAs(first);
    assertThat(series(60).getAsJsonArray(busy(0))).hasSize(2);
    assertThat(series(1).getAsJsonArray(busy(0))).hasSize(1);
  }

  @Test
  void shouldForgetWorkersThatAreGoneWhenTheHourHasNothingOfThem() {
    add(0, 1);
    for (int i = 1; i < History.SECONDS; i++) {
      add(0);
    }
    JsonArray gone = series(History.SECONDS).getAsJsonArray(busy(1));
    assertThat(gone).hasSize(History.SECONDS).endsWith(JsonNull.INSTANCE);
    assertThat(gone.get(0).getAsLong()).isZero();
    add(0);
    assertThat(series(History.SECONDS).keySet()).contains(busy(0)).doesNotContain(busy(1));
    add(0, 1);
    JsonArray back = series(2).getAsJsonArray(busy(1));
    assertThat(back.asList().stream().map(JsonElement::isJsonNull)).containsExactly(true, false);
  }

  @Test
  void shouldGiveTheirPlacesToWorkersThatCome() {
    for (int worker = 1; worker < 2 * SERIES; worker++) {
      add(0, worker);
    }
    assertThat(series(1).keySet())
        .hasSize(SERIES)
        .contains(busy(0), busy(2 * SERIES - 1), busy(SERIES + 10))
        .doesNotContain(busy(1));
  }

  @Test
  void shouldKeepAsManyAsThereIsRoomForWhenAllAreThere() {
    int[] workers = new int[2 * SERIES];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = i;
    }
    add(workers);
    add(workers);
    assertThat(series(1).keySet()).hasSize(SERIES).contains("totals.received", busy(0));
  }
}
