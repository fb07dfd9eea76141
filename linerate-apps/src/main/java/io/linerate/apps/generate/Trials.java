package io.linerate.apps.generate;

import io.linerate.apps.generate.TrafficPlan.Phase;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs trials one after the other, on one engine whose ports stay open: sends a stream at one rate
 * for some time, and counts what comes back.
 */
public final class Trials implements AutoCloseable {
  private static final long POLL_MS = 5;

  private final Engine engine;
  private final List<TrafficQueue> queues = new ArrayList<>();
  private final Reception reception;
  private final TrafficSamples samples = new TrafficSamples(queues);
  private volatile List<FrameSource> sources = List.of();
  private int trials;

  /** Of the last trial. */
  private long lost;

  private Trials(Engine engine) {
    this.engine = engine;
    reception = new Reception(1, engine.config().workers(), false, this::sent);
  }

  /**
   * Opens the ports.
   *
   * @param tx address of the port that packets leave from
   * @param rx address of the port where they come back, which may be the same
   * @param largestFrameBytes of all trials, with the frame check sequence
   * @throws ConfigException if a port cannot transmit, or the other not receive
   */
  public static Trials open(EngineConfig config, String tx, String rx, int largestFrameBytes) {
    Engine engine = new Engine(Generator.withRoom(config));
    try {
      Trials trials = new Trials(engine);
      trials.wire(tx, rx, largestFrameBytes);
      engine.start();
      return trials;
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  private void wire(String tx, String rx, int largestFrameBytes) {
    Port port = Traffic.sendPort(engine, "tx", tx);
    Port back = Traffic.returnPort(engine, "rx", rx, port);
    for (Worker worker : engine.workers()) {
      TrafficQueue queue = Traffic.queue(engine, worker, port, largestFrameBytes, false, () -> {});
      queues.add(queue);
      worker.input(back, reception.handler());
      worker.input(new TrafficPort(queue), queue.handler());
    }
    engine.source(samples);
    engine.source(reception);
  }

  /** What it runs on. */
  public Engine engine() {
    return engine;
  }

  /** Ends the trial that runs, and all others. Any thread. */
  public void stop() {
    engine.stop();
  }

  /**
   * Runs a trial, and waits for late packets as RFC 2544 section 23 says: two seconds, or until all
   * are there.
   *
   * @param stream with sequence numbers
   * @throws PortException if a port failed, or {@link #stop} was called
   */
  public TrialResult run(TrafficStream stream, Rate rate, Duration time) {
    int number = trials++ % Stamp.MAX_STREAMS;
    reception.expect(number, stream.hasManyFlows(), lost);
    Phase phase = new Phase(number, rate, 0, 0, time.toNanos(), Long.MAX_VALUE);
    int workers = engine.workers().size();
    List<FrameSource> made = new ArrayList<>();
    List<Substream> substreams = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      FrameSource source = stream.source(number, worker, workers);
      made.add(source);
      substreams.add(new Substream(phase, source, worker, workers));
    }
    sources = List.copyOf(made);
    samples.sends(List.of(TrafficSamples.Part.of(stream, phase, made.getFirst())));
    for (int worker = 0; worker < workers; worker++) {
      queues.get(worker).run(new Substream[] {substreams.get(worker)});
    }
    long lastNs = awaitFinished();
    long sent = sent();
    while (reception.unique() < sent && System.nanoTime() - lastNs < Ending.RESIDUAL_NS) {
      pause();
    }
    ReceptionResult result = reception.result(sent);
    lost = result.lost();
    return new TrialResult(
        PhaseResult.of(stream, phase, substreams),
        result,
        queues.stream().mapToLong(TrafficQueue::longestPauseNs).max().orElse(0),
        queues.stream().mapToLong(TrafficQueue::blockedNs).max().orElse(0));
  }

  /** Packets of this trial that have left. */
  private long sent() {
    return sources.stream().mapToLong(FrameSource::nextSequence).sum();
  }

  private long awaitFinished() {
    long lastNs = Long.MIN_VALUE;
    for (TrafficQueue queue : queues) {
      while (!queue.isFinished()) {
        pause();
      }
      lastNs = Math.max(lastNs, queue.finishedNs());
    }
    return lastNs;
  }

  private void pause() {
    if (engine.awaitEnd(POLL_MS)) {
      List<String> failures = engine.summary().failures();
      throw new PortException(failures.isEmpty() ? "measuring was stopped" : failures.getFirst());
    }
  }

  @Override
  public void close() {
    engine.close();
  }
}
