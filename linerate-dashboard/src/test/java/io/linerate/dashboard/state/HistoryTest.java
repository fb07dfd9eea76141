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
  private static final int SERIES = 64;
  private static final int MINUTES_10_S = 600;
  private static final int HOURS_2_S = 7_200;

  private final HistoryRoom room = new HistoryRoom(SERIES);
  private final History history = new History(room);
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
    sink.counter("linerate_element_received_packets_total", SampleUnit.PACKETS, 1, "element", "a");
    timeMs += 1_000;
    history.add(new Moment(timeMs, new SampleTable(samples)));
  }

  private JsonObject answer(int seconds, String names) {
    byte[] json = ((JsonMembers) writer -> history.write(writer, seconds, names)).toBytes();
    return JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  private JsonObject series(int seconds) {
    return answer(seconds, History.USUAL_SERIES).getAsJsonObject("series");
  }

  private static String busy(int worker) {
    return "worker." + worker + ".busyNs";
  }

  @Test
  void shouldBeMadeOnceForAllWhoAskUntilTheNextMoment() {
    add(0);
    Body first = history.answer(60, "worker");
    assertThat(history.answer(60, "worker")).isSameAs(first).isNotNull();
    assertThat(history.answer(60, "totals")).isNotSameAs(first).isNotNull();
    for (int seconds = 1; seconds < 10; seconds++) {
      history.answer(seconds, "worker");
    }
    assertThat(history.answer(60, "worker")).isSameAs(first);
    assertThat(history.answer(1_000, "worker")).isNull();
    add(0);
    assertThat(history.answer(60, "worker")).isNotSameAs(first).isNotNull();
    assertThat(series(60).getAsJsonArray(busy(0))).hasSize(2);
    assertThat(series(1).getAsJsonArray(busy(0))).hasSize(1);
  }

  @Test
  void shouldHaveWhatIsAskedForOnly() {
    add(0);
    assertThat(series(60).keySet())
        .contains("totals.received", "totals.lost", busy(0))
        .doesNotContain("element.a.packetsIn");
    assertThat(answer(60, "element.a").getAsJsonObject("series").keySet())
        .containsExactly("element.a.packetsIn");
    assertThat(answer(60, "element.b,work").getAsJsonObject("series").keySet()).isEmpty();
  }

  @Test
  void shouldKeepADayInStepsThatAreLongerTheOlderTheyAre() {
    for (int i = 0; i < History.SECONDS + HOURS_2_S; i++) {
      add(0);
    }
    JsonObject day = answer(History.SECONDS, "worker");
    List<Long> times =
        day.getAsJsonArray("timesMs").asList().stream().map(JsonElement::getAsLong).toList();
    List<Long> busy =
        day.getAsJsonObject("series").getAsJsonArray(busy(0)).asList().stream()
            .map(JsonElement::getAsLong)
            .toList();
    assertThat(times).isSorted().doesNotHaveDuplicates().last().isEqualTo(timeMs);
    assertThat(timeMs - times.getFirst())
        .isBetween(1_000L * (History.SECONDS - 60), 1_000L * History.SECONDS);
    for (int i = 1; i < times.size(); i++) {
      long ageS = (timeMs - times.get(i)) / 1_000;
      long step = times.get(i) - times.get(i - 1);
      assertThat(step)
          .as("step at an age of %d s", ageS)
          .isLessThanOrEqualTo(
              ageS < MINUTES_10_S - 1
                  ? 1_000
                  : ageS < MINUTES_10_S + HOURS_2_S - 10 ? 10_000 : 60_000);
      assertThat(busy.get(i) - busy.get(i - 1)).as("what was counted meanwhile").isEqualTo(step);
    }
    assertThat(times).hasSizeLessThan(MINUTES_10_S + HOURS_2_S / 10 + History.SECONDS / 60);
    assertThat(answer(3_600, "worker").getAsJsonArray("timesMs")).hasSize(MINUTES_10_S + 300);
  }

  @Test
  void shouldForgetWorkersThatAreGoneWhenTheDayHasNothingOfThem() {
    add(0, 1);
    add(0);
    JsonArray gone = series(History.SECONDS).getAsJsonArray(busy(1));
    assertThat(gone).hasSize(2).endsWith(JsonNull.INSTANCE);
    for (int i = 0; i < History.SECONDS + HOURS_2_S; i++) {
      add(0);
    }
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
    try (History other = new History(room)) {
      other.add(new Moment(timeMs, new SampleTable(List.of())));
      assertThat(
              new String(
                  JsonMembers.bytes(json -> other.write(json, 1, "totals")),
                  StandardCharsets.UTF_8))
          .as("another has no room")
          .contains("\"series\":{}");
    }
    history.close();
    try (History other = new History(room)) {
      other.add(new Moment(timeMs, new SampleTable(List.of())));
      assertThat(
              new String(
                  JsonMembers.bytes(json -> other.write(json, 1, "totals")),
                  StandardCharsets.UTF_8))
          .contains("totals.received");
    }
  }
}
