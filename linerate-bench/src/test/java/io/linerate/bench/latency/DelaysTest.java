package io.linerate.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.bench.latency.FlightRecording.Time;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class DelaysTest {
  private static final long MS = 1_000_000;

  private final FlightRecording recording =
      new FlightRecording(
          List.of(
              new Time(Cause.SAFEPOINT, 10 * MS, 12 * MS),
              new Time(Cause.COLLECTOR, 11 * MS, 12 * MS),
              new Time(Cause.COMPILER, 30 * MS, 30 * MS)));

  @Test
  void shouldSayWhatMadePacketsWait() {
    assertThat(recording.causeOf(new Stall(9 * MS, 4 * MS, 0))).isEqualTo(Cause.COLLECTOR);
    assertThat(recording.causeOf(new Stall(9 * MS, MS + MS / 2, 0))).isEqualTo(Cause.SAFEPOINT);
    assertThat(recording.causeOf(new Stall(30 * MS, MS, MS))).isEqualTo(Cause.COMPILER);
    assertThat(recording.causeOf(new Stall(50 * MS, 2 * MS, MS))).isEqualTo(Cause.KERNEL);
    assertThat(recording.causeOf(new Stall(50 * MS, 2 * MS, MS / 2))).isEqualTo(Cause.NONE);
    assertThat(FlightRecording.none().causeOf(new Stall(9 * MS, MS, 0))).isEqualTo(Cause.NONE);
  }

  @Test
  void shouldCountStallsByTheirCauses() {
    MeterRun run =
        run(List.of(new Stall(9 * MS, 4 * MS, 0), new Stall(50 * MS, MS, 0)), 1_000, 9_000);
    List<Delays> all = List.of(new Delays(List.of(run), recording));
    assertThat(Delays.stallsText(all))
        .isEqualTo(
            "2 of 100 us or longer, 5.0 ms in all (1 collection, 1 none of these), of 20 ms, of which the hypervisor took 10");
    assertThat(Delays.lost(all)).isEqualTo(3);
    assertThat(all.getFirst().percentileUs(50)).isEqualTo(1);
    assertThat(all.getFirst().percentileUs(100)).isBetween(8.9, 9.1);
  }

  @Test
  void shouldSayThatThereWasNone() {
    assertThat(Delays.stallsText(List.of(new Delays(List.of(run(List.of(), 5)), recording))))
        .isEqualTo(
            "0 of 100 us or longer, 0.0 ms in all, of 20 ms, of which the hypervisor took 10");
  }

  private static MeterRun run(List<Stall> stalls, long... delaysNs) {
    Histogram delays = new Histogram(3);
    for (long ns : delaysNs) {
      delays.recordValue(ns);
    }
    return new MeterRun(delaysNs.length + 3, delaysNs.length, 0, 20 * MS, 0, 0, delays, stalls, 10);
  }
}
