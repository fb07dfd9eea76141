package io.linerate.core.counter;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.flight.Flight;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Writes the samples of a program to its counters file, four times a second, once a second while it
 * does nothing, and once more at the end: a thread of its own, so that the packet path has no part
 * in it. A program that ends within a quarter of a second has no file, so that it starts and ends
 * sooner; one without a place for the file runs without.
 */
public final class CountersPublisher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CountersPublisher.class.getName());
  private static final long INTERVAL_MS = 250;
  private static final int IDLE_INTERVALS = 4;
  private static final long JOIN_MS = 5_000;

  private final ProgramInfo program;
  private final SampleSource source;
  private final LongSupplier activity;
  private final ProgramFolder folder;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;

  private CountersPublisher(
      ProgramInfo program, SampleSource source, LongSupplier activity, ProgramFolder folder) {
    this.program = program;
    this.source = source;
    this.activity = activity;
    this.folder = folder;
    thread = Thread.ofPlatform().daemon().name("counters").unstarted(this::run);
  }

  /**
   * Starts to publish.
   *
   * @param activity a number that is another one when the program has done something meanwhile
   */
  public static CountersPublisher start(
      ProgramInfo program, SampleSource source, LongSupplier activity) {
    return start(program, source, activity, ProgramFolder.ofUser());
  }

  static CountersPublisher start(
      ProgramInfo program, SampleSource source, LongSupplier activity, ProgramFolder folder) {
    CountersPublisher publisher = new CountersPublisher(program, source, activity, folder);
    publisher.thread.start();
    return publisher;
  }

  private void run() {
    try {
      DropRecorder drops = new DropRecorder(System.nanoTime());
      if (awaitEnd()) {
        recordLast(drops);
      } else {
        publish(drops);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "counters are not published", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      Object error = MappedFileFault.is(e) ? MappedFileFault.SENTENCE : e;
      LOG.log(Level.WARNING, "counters are published no more: error=" + error);
    }
  }

  /** Waits an interval at most, and says whether the program has ended meanwhile. */
  private boolean awaitEnd() throws InterruptedException {
    return end.await(INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  /** Of a program that was too short for a file. */
  private void recordLast(DropRecorder drops) {
    if (Flight.isRecorded()) {
      drops.take(source.samples(), System.nanoTime(), true);
    }
  }

  private void publish(DropRecorder drops) throws IOException, InterruptedException {
    try (CountersWriter writer = folder.create(program)) {
      boolean isLast = false;
      while (true) {
        long before = activity.getAsLong();
        List<Sample> samples = source.samples();
        writer.write(samples);
        drops.take(samples, System.nanoTime(), isLast);
        if (isLast) {
          return;
        }
        isLast = awaitEnd();
        for (int i = 1; i < IDLE_INTERVALS && !isLast && activity.getAsLong() == before; i++) {
          isLast = awaitEnd();
        }
      }
    }
  }

  /** Publishes the last numbers and removes the file, if there is one. */
  @Override
  public void close() {
    end.countDown();
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
