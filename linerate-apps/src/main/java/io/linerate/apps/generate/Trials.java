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
  private int trials;

  private Trials(Engine engine, Reception reception) {
    this.engine = engine;
    this.reception = reception;
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
      Trials trials = new Trials(engine, new Reception(1, config.workers(), false));
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
    reception.expect(number, stream.hasManyFlows());
    Phase phase = new Phase(number, rate, 0, 0, time.toNanos(), Long.MAX_VALUE);
    int workers = engine.workers().size();
    List<Substream> substreams = new ArrayList<>();
    List<FrameSource> sources = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      FrameSource source = stream.source(number, worker, workers);
      Substream substream = new Substream(phase, source, worker, workers);
      sources.add(source);
      substreams.add(substream);
      queues.get(worker).run(new Substream[] {substream});
    }
    long lastNs = awaitFinished();
    long sent = sources.stream().mapToLong(FrameSource::nextSequence).sum();
    while (reception.unique() < sent && System.nanoTime() - lastNs < Ending.RESIDUAL_NS) {
      pause();
    }
    return new TrialResult(
        PhaseResult.of(stream, phase, substreams),
        reception.result(sent),
        queues.stream().mapToLong(TrafficQueue::longestPauseNs).max().orElse(0),
        queues.stream().mapToLong(TrafficQueue::blockedNs).max().orElse(0));
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
