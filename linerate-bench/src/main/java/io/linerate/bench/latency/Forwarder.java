package io.linerate.bench.latency;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.WorkerThread;
import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A firewall that lets everything pass, and a meter of its own: stopped unless it is measured. */
final class Forwarder implements AutoCloseable {
  private static final long SETTLE_NS = 20_000_000;
  private static final int WORKER_TRIES = 500;

  private final Meter meter;
  private final Contestant contestant;
  private final Path schedstat;

  /**
   * Starts both.
   *
   * @param folder of this contestant
   */
  Forwarder(Session session, Path folder, List<String> command) throws IOException {
    meter = new Meter(session, folder);
    try {
      contestant = Contestant.launch(onBothCpus(session, command));
    } catch (RuntimeException e) {
      meter.close();
      throw e;
    }
    try {
      contestant.awaitReady();
      schedstat = awaitWorker();
      contestant.pause();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The harness keeps itself away from that of the contestants, and what it starts with it. */
  private static List<String> onBothCpus(Session session, List<String> command) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("taskset", "-c", session.cpu() + "," + session.otherCpu()));
    words.addAll(command);
    return words;
  }

  /** The program's ports are ready before its worker is. */
  private Path awaitWorker() throws IOException {
    WorkerThread worker = new WorkerThread(contestant.pid());
    for (int i = 0; i < WORKER_TRIES; i++) {
      Optional<Path> found = worker.schedstat();
      if (found.isPresent()) {
        return found.get();
      }
      LockSupport.parkNanos(SETTLE_NS);
    }
    throw new IOException("forwarder has no worker: pid=" + contestant.pid());
  }

  /** Lets it run for a time with this load. */
  MeterRun run(Load load, int ms) {
    contestant.resume();
    try {
      LockSupport.parkNanos(SETTLE_NS);
      return meter.run(load, ms, schedstat);
    } finally {
      contestant.pause();
    }
  }

  /** The forwarder first: a meter that polls must not lose its peer. */
  @Override
  public void close() {
    contestant.close();
    meter.close();
  }
}
