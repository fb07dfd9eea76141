package io.linerate.apps.measure;

import com.google.gson.stream.JsonWriter;
import io.linerate.apps.generate.Rate;
import io.linerate.core.config.RateText;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.program.run.SummaryJson;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, as a table and as JSON.
 *
 * @param results in the order of their sizes; fewer than asked for when it was stopped
 * @param lineBps bits in a second of the line, layer 1; infinite when it has none
 */
record MeasureReport(
    String tx,
    String rx,
    Duration trial,
    List<SizeResult> results,
    double lineBps,
    double stealPercent,
    double waitPercent) {
  /** Searches that differ by more do not agree. */
  static final double AGREEMENT_PERCENT = 5;

  /** Of rates, which are found to a part of a per cent. */
  static final int DIGITS = 5;

  MeasureReport {
    results = List.copyOf(results);
  }

  /** Frames of that size in a second that a line carries: RFC 2544, appendix B. */
  static double linePps(double lineBps, int frameBytes) {
    return lineBps / (8.0 * (frameBytes + Rate.LAYER_1_BYTES));
  }

  void print(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "throughput from %s to %s (RFC 2544, section 26.1; trials of %.1f s)%n",
        tx,
        rx,
        trial.toMillis() / 1e3);
    out.printf(
        Locale.ROOT,
        "  %6s  %15s  %13s  %13s  %9s  %8s  %7s  %8s%n",
        "bytes",
        "rate",
        "layer 2",
        "layer 1",
        "of line",
        "spread",
        "trials",
        "repeated");
    for (SizeResult result : results) {
      out.printf(
          Locale.ROOT,
          "  %6d  %15s  %13s  %13s  %9s  %6.1f %%  %7d  %8d%n",
          result.frameBytes(),
          (result.limit().isLowerBound() ? ">= " : "") + packets(result.throughputPps()),
          bits(result.layer2Bps()),
          bits(result.layer1Bps()),
          Double.isInfinite(lineBps)
              ? "-"
              : String.format(Locale.ROOT, "%.1f %%", 100 * result.layer1Bps() / lineBps),
          result.spreadPercent(),
          result.trials(),
          result.repeatedTrials());
    }
    latencies(out);
    noise(out);
  }

  private static String packets(double perSecond) {
    return RateText.of(perSecond, "pps", DIGITS);
  }

  private static String bits(double perSecond) {
    return RateText.of(perSecond, "bit/s", DIGITS);
  }

  private void latencies(PrintStream out) {
    if (results.stream().allMatch(result -> result.latencyUs().isEmpty())) {
      return;
    }
    out.printf("delay at that rate in us (section 26.2, every frame timed)%n  %6s", "bytes");
    results.stream()
        .filter(result -> !result.latencyUs().isEmpty())
        .findFirst()
        .ifPresent(
            result -> result.latencyUs().keySet().forEach(name -> out.printf("  %9s", name)));
    out.println();
    for (SizeResult result : results) {
      out.printf("  %6d", result.frameBytes());
      result.latencyUs().values().forEach(value -> out.printf(Locale.ROOT, "  %9.1f", value));
      out.println();
    }
  }

  private void noise(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "meanwhile the hypervisor took %.1f %% of the CPU time, and threads waited for a CPU in"
            + " %.0f %% of the time%n",
        stealPercent,
        waitPercent);
    for (SizeResult result : results) {
      if (result.limit().isLowerBound()) {
        out.printf(
            Locale.ROOT,
            "limited by the %s: bytes=%d, rate=%s; %s%n",
            result.limit().title(),
            result.frameBytes(),
            packets(result.throughputPps()),
            result.limit().sentence());
      } else if (result.senderLimited() > 0) {
        out.printf(
            "the sender, not the device, was too slow at some rates: bytes=%d, rates=%d; give it a"
                + " CPU of its own%n",
            result.frameBytes(), result.senderLimited());
      }
      if (result.spreadPercent() > AGREEMENT_PERCENT) {
        out.printf(
            Locale.ROOT,
            "searches do not agree: bytes=%d, spread=%.1f %%, rates=%s; %s%n",
            result.frameBytes(),
            result.spreadPercent(),
            result.searchesPps().stream().map(MeasureReport::packets).toList(),
            reason());
      }
    }
  }

  /** Why searches may not agree. */
  String reason() {
    return stealPercent >= 1 || waitPercent >= 10
        ? "the machine had other work, see above: repeat on a quiet one, or with longer trials"
        : "the machine was quiet, so the device itself varies: look at its own counters";
  }

  void writeJson(PrintStream out) {
    SummaryJson.printObject(out, this::write);
  }

  private void write(JsonWriter json) throws IOException {
    json.name("program").value("measure");
    json.name("tx").value(tx);
    json.name("rx").value(rx);
    json.name("trialSeconds").value(trial.toMillis() / 1e3);
    JsonMembers.objects(json.name("sizes"), results, result -> write(json, result));
    json.name("stealPercent").value(stealPercent);
    json.name("waitPercent").value(waitPercent);
  }

  private void write(JsonWriter json, SizeResult result) throws IOException {
    json.name("size").value(result.frameBytes());
    json.name("throughputPps").value(result.throughputPps());
    json.name("layer2Bps").value(result.layer2Bps());
    json.name("layer1Bps").value(result.layer1Bps());
    json.name("mostPps").value(result.mostPps());
    json.name("limitedBy").value(result.limit().title());
    json.name("searchesPps").beginArray();
    for (double answer : result.searchesPps()) {
      json.value(answer);
    }
    json.endArray();
    json.name("spreadPercent").value(result.spreadPercent());
    json.name("agrees").value(result.spreadPercent() <= AGREEMENT_PERCENT);
    json.name("trials").value(result.trials());
    json.name("repeatedTrials").value(result.repeatedTrials());
    json.name("senderLimited").value(result.senderLimited());
    JsonMembers.numbers(json, "latencyUs", result.latencyUs());
  }
}
