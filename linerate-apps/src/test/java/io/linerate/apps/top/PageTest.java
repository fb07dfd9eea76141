package io.linerate.apps.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.Sample;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.dashboard.state.Moment;
import io.linerate.dashboard.state.SampleTable;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTest {
  private static final long START_MS = 1_000_000;
  private static final ProgramInfo PROGRAM =
      new ProgramInfo(4_711, "fire\u001B[2Jwall", "0.1.0", START_MS, "linerate firewall");

  private final Controls controls = new Controls();

  /** Ports that have received so many packets of 100 bytes, and a program that drops some. */
  private static Moment moment(long timeMs, long... received) {
    List<Sample> samples = new ArrayList<>();
    SampleSink sink = samples::add;
    long all = 0;
    for (int i = 0; i < received.length; i++) {
      String port = "p" + i;
      sink.info("linerate_port_info", "port", port, "address", "ring:" + port);
      packets(sink, "linerate_port_received_packets_total", received[i], "port", port);
      packets(sink, "linerate_port_received_bytes_total", 100 * received[i], "port", port);
      packets(sink, "linerate_port_missed_packets_total", received[i] % 7, "port", port);
      all += received[i];
    }
    packets(sink, "linerate_received_packets_total", all);
    packets(sink, "linerate_sent_packets_total", all / 2);
    packets(sink, "linerate_dropped_packets_total", all / 4, "reason", "rule");
    packets(sink, "linerate_dropped_packets_total", all / 4, "reason", "consumed");
    sink.gauge("linerate_worker_cpu", SampleUnit.NONE, 1, "worker", "0");
    long ns = (timeMs - START_MS) * 1_000_000;
    for (String time : List.of("busy", "idle")) {
      sink.counter(
          "linerate_worker_" + time + "_seconds_total",
          SampleUnit.NANOSECONDS,
          time.equals("busy") ? ns / 4 : ns * 3 / 4,
          "worker",
          "0");
    }
    return new Moment(timeMs, new SampleTable(samples));
  }

  private static void packets(SampleSink sink, String name, long value, String... labels) {
    sink.counter(name, SampleUnit.PACKETS, value, labels);
  }

  private static Following following(Moment... moments) {
    Following program = new Following(PROGRAM, moments[0]);
    for (Moment moment : moments) {
      program.add(moment);
    }
    return program;
  }

  private List<String> page(Following program, int columns, int rows) {
    return new Page(program, controls, Glyphs.ASCII)
        .lines(columns, rows, program.now().timeMs()).stream()
            .map(AttributedString::toString)
            .map(String::stripTrailing)
            .toList();
  }

  @Test
  void shouldShowRatesOfTheTimeBetweenTwoMoments() {
    Following program = following(moment(START_MS, 0, 0), moment(START_MS + 2_000, 3_000, 50_000));
    List<String> page = page(program, 200, 40);
    assertThat(page.get(0)).isEqualTo(" fire?[2Jwall  pid 4711  up 00:00:02  by name");
    assertThat(page.get(1))
        .startsWith(" rx 26.5kp/s 21.2Mb/s  tx 13.3kp/s 0b/s  dropped + lost 6.63k/s  inside 0");
    assertThat(page.get(2)).isEqualTo(" received 53,000  sent 26,500  dropped 13,250  lost 10");
    assertThat(page)
        .anyMatch(row -> row.matches(" p0 +1\\.50k +1\\.20M +0 +0 +2 +0 +3,000 .*"))
        .anyMatch(row -> row.matches(" 0 +25 % +#######[=.-]+ +1 +0"))
        .anyMatch(row -> row.matches(" rule +6\\.63k +13,250"));
  }

  @Test
  void shouldNotInventRatesBeforeThereAreTwoMoments() {
    List<String> page = page(following(moment(START_MS, 5)), 120, 30);
    assertThat(page).anyMatch(row -> row.matches(" p0 +- +- +0 +0 +- +0 +5 .*"));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,40", "20,5", "20,2", "80,24", "80,3", "300,100", "33,11", "5,60"})
  void shouldFitAnyScreenWithHundredsOfPorts(int columns, int rows) {
    long[] received = new long[300];
    Following program = following(moment(START_MS, received), moment(START_MS + 1_000, received));
    for (Key key : List.of(Key.NEXT, Key.LAST, Key.HELP)) {
      controls.press(key, List.of("p0", "p299"));
      assertThat(new Page(program, controls, Glyphs.UNICODE).lines(columns, rows, 0))
          .hasSizeLessThanOrEqualTo(rows)
          .allMatch(line -> line.columnLength() <= columns);
    }
  }

  @Test
  void shouldShowTheChosenPortHoweverManyThereAre() {
    long[] received = new long[300];
    received[7] = 900;
    Following program =
        following(moment(START_MS, new long[300]), moment(START_MS + 1_000, received));
    controls.press(Key.BY_RATE, List.of());
    assertThat(page(program, 80, 24)).anyMatch(row -> row.startsWith(" p7 "));
    controls.press(Key.BY_NAME, List.of());
    Page page = new Page(program, controls, Glyphs.ASCII);
    List<String> names = page.names();
    assertThat(names).startsWith("p0", "p1", "p2").endsWith("p298", "p299");
    controls.press(Key.LAST, names);
    controls.press(Key.PAGE_UP, names);
    assertThat(page(program, 80, 24)).anyMatch(row -> row.startsWith(">p289 "));
    controls.press(Key.LEAVE, names);
    assertThat(page(program, 80, 24)).noneMatch(row -> row.startsWith(">"));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.3,0.3",
    "7,7",
    "12.4,12",
    "999.4,999",
    "999.6,1.00k",
    "1234,1.23k",
    "99960,100k",
    "999499,999k",
    "999600,1.00M",
    "2.5e9,2.50G",
    "NaN,-"
  })
  void shouldWriteNumbersInFewColumns(double value, String text) {
    assertThat(Figures.brief(value)).isEqualTo(text);
  }

  @Test
  void shouldDrawBarsAndChartsOfAnyHeight() {
    assertThat(Glyphs.UNICODE.bar(0.5, 5)).isEqualTo("██▌░░");
    assertThat(Glyphs.UNICODE.bar(2, 3)).isEqualTo("███");
    assertThat(Glyphs.ASCII.bar(0, 3)).isEqualTo("...");
    assertThat(Glyphs.UNICODE.chart(new double[] {0, 1, 8, 16}, 16, 2))
        .containsExactly("   █", " ▁██");
    assertThat(Glyphs.UNICODE.chart(new double[] {0, 0}, 0, 1)).containsExactly("  ");
  }

  @Test
  void shouldKeepAMinuteOfRates() {
    RateHistory history = new RateHistory();
    for (int second = 0; second < 100; second++) {
      history.add(1_000L * second, second);
    }
    assertThat(history.newest(1_000)).hasSize(60).startsWith(40).endsWith(99);
    assertThat(history.newest(2)).containsExactly(98, 99);
  }
}
