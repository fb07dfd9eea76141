package io.linerate.apps.measure;

import io.linerate.apps.generate.Rate;
import io.linerate.apps.generate.TrafficStream;
import io.linerate.apps.generate.TrialResult;
import io.linerate.apps.generate.Trials;
import io.linerate.apps.measure.MeasureSamples.Purpose;
import io.linerate.core.config.RateText;
import io.linerate.program.run.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The trials of one frame size: learning, searches, latency. */
final class Measurement {
  /**
   * What is asked for.
   *
   * @param trial how long one trial sends
   * @param settle how long the device rests between trials
   * @param lossPercent that still passes
   * @param resolution of the searches: 0.01 is 1 %
   * @param repeats how often a trial that lost is run again before it counts
   * @param linePps the rate of the line for this size; infinite when it has none
   */
  record Task(
      Duration trial,
      Duration settle,
      double lossPercent,
      double resolution,
      int searches,
      int repeats,
      boolean isLatencyAsked,
      double linePps) {}

  /** A device that keeps its port full for more of the time than this cannot follow. */
  private static final double BLOCKED_PART = 0.01;

  /** A sender that reaches less of a rate than this was not on its CPU. */
  private static final double REACHED_PART = 0.99;

  private static final int MOST_TRIALS = 8;

  /** A sender that reaches so much more than before is not steady yet. */
  private static final double STEADY_PART = 0.01;

  private static final Duration LEARNING = Duration.ofMillis(200);
  private static final Rate LEARNING_RATE = Rate.pps(1_000);
  private static final int LEARNING_TRIALS = 25;

  private final Trials trials;
  private final TrafficStream stream;
  private final int frameBytes;
  private final Task task;
  private final MeasureSamples samples;
  private final Consumer<String> log;
  private final List<ThroughputSearch.Answer> answers = new ArrayList<>();
  private double mostPps;

  /** Of the search that runs: the highest rate that passed. */
  private double passedPps;

  private int count;
  private int repeated;
  private int senderLimited;

  Measurement(
      Trials trials,
      TrafficStream stream,
      int frameBytes,
      Task task,
      MeasureSamples samples,
      Consumer<String> log) {
    this.trials = trials;
    this.stream = stream;
    this.frameBytes = frameBytes;
    this.task = task;
    this.samples = samples;
    this.log = log;
  }

  SizeResult run() {
    learn();
    mostPps = Math.min(task.linePps(), most());
    ThroughputSearch search =
        new ThroughputSearch(this::passedPps, task.resolution(), task.linePps());
    for (int i = 0; i < task.searches(); i++) {
      passes(0);
      ThroughputSearch.Answer answer = search.search(mostPps);
      log.accept(
          String.format(
              Locale.ROOT,
              "%d bytes: search %d found %,.0f pps, limited by the %s",
              frameBytes,
              i + 1,
              answer.pps(),
              answer.limit().title()));
      answers.add(answer);
    }
    SizeResult found = result(Map.of());
    return task.isLatencyAsked() && found.throughputPps() > 0 ? result(latency(found)) : found;
  }

  private SizeResult result(Map<String, Double> latencyUs) {
    return new SizeResult(frameBytes, mostPps, answers, count, repeated, senderLimited, latencyUs);
  }

  /** What was found until it was interrupted, if anything. */
  Optional<SizeResult> interrupted() {
    if (answers.size() < task.searches() && passedPps > 0) {
      answers.add(new ThroughputSearch.Answer(passedPps, Limit.INTERRUPTED));
    }
    return answers.isEmpty() ? Optional.empty() : Optional.of(result(Map.of()));
  }

  private TrialResult trial(Purpose purpose, Rate rate, Duration time) {
    samples.begins(frameBytes, purpose, time);
    return trials.run(stream, rate, time);
  }

  private void passes(double packetsPerSecond) {
    passedPps = packetsPerSecond;
    samples.passed(packetsPerSecond);
  }

  /** RFC 2544, section 23 b): the device learns where things are before it is tested. */
  private void learn() {
    for (int i = 0; i < LEARNING_TRIALS; i++) {
      TrialResult result = trial(Purpose.LEARNING, LEARNING_RATE, LEARNING);
      if (result.reception().received() > 0) {
        settle();
        return;
      }
    }
    throw new CommandException(
        "nothing comes back: size=%d, sent=%d; see that the device forwards from the first port to the second"
            .formatted(frameBytes, LEARNING_TRIALS * LEARNING.toMillis()));
  }

  /**
   * What the sender reaches without a pause, tried until it rises no more: the first trials find
   * code that is not compiled yet.
   */
  private double most() {
    double most = 0;
    for (int i = 0; i < MOST_TRIALS; i++) {
      TrialResult result = trial(Purpose.MAXIMUM, Rate.UNLIMITED, task.trial());
      count++;
      say(result, "most");
      settle();
      double before = most;
      most = Math.max(most, result.offered().sentPps());
      if (i > 0 && most <= before * (1 + STEADY_PART)) {
        break;
      }
    }
    return most;
  }

  /** The best of a few trials: other work on the machine only makes them worse. */
  private double passedPps(double packetsPerSecond) {
    double best = 0;
    for (int i = 0; i <= task.repeats() && best < REACHED_PART * packetsPerSecond; i++) {
      TrialResult result = trial(Purpose.SEARCH, Rate.pps(packetsPerSecond), task.trial());
      count++;
      repeated += i > 0 ? 1 : 0;
      boolean passes = lacksNothing(result) && !isHeldUp(result);
      double sent = result.offered().sentPps();
      boolean isReached = sent == 0 || sent >= REACHED_PART * packetsPerSecond;
      say(result, verdict(result, isReached));
      settle();
      if (passes) {
        best = Math.max(best, isReached ? packetsPerSecond : sent);
        passes(Math.max(passedPps, best));
      }
    }
    senderLimited += best > 0 && best < packetsPerSecond ? 1 : 0;
    return best;
  }

  private String verdict(TrialResult result, boolean isReached) {
    if (!lacksNothing(result)) {
      return "lost";
    }
    return isHeldUp(result)
        ? "the port took too little"
        : isReached ? "passes" : "passes, but the sender was slow";
  }

  private boolean lacksNothing(TrialResult result) {
    return result.reception().lostPercent() <= task.lossPercent();
  }

  /** A port that refuses frames is one that loses them, of a device that has no other way. */
  private boolean isHeldUp(TrialResult result) {
    return result.blockedNs() > BLOCKED_PART * task.trial().toNanos();
  }

  private Map<String, Double> latency(SizeResult found) {
    TrialResult result = trial(Purpose.LATENCY, Rate.pps(found.throughputPps()), task.trial());
    say(result, "latency");
    settle();
    return result.reception().delaysUs();
  }

  private void say(TrialResult result, String verdict) {
    log.accept(
        String.format(
            Locale.ROOT,
            "%d bytes: %s asked, %s sent, %,d packets, lost %,d (%.5f %%), port full for %.1f"
                + " ms, sender away for %.1f ms at most: %s",
            frameBytes,
            result.offered().rate(),
            RateText.of(result.offered().sentPps(), "pps", MeasureReport.DIGITS),
            result.offered().packets(),
            result.reception().lost(),
            result.reception().lostPercent(),
            result.blockedNs() / 1e6,
            result.longestPauseNs() / 1e6,
            verdict));
  }

  private void settle() {
    try {
      Thread.sleep(task.settle());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      trials.stop();
    }
  }
}
