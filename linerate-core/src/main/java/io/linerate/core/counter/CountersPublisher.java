package io.linerate.core.counter;

import io.linerate.core.driver.MappedFileFault;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes the samples of a program to its counters file, four times a second and once more at the
 * end: a thread of its own, so that the packet path has no part in it. A program without a place
 * for the file runs without.
 */
public final class CountersPublisher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CountersPublisher.class.getName());
  private static final long INTERVAL_MS = 250;
  private static final long JOIN_MS = 5_000;

  private final ProgramInfo program;
  private final SampleSource source;
  private final ProgramFolder folder;
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;

  private CountersPublisher(ProgramInfo program, SampleSource source, ProgramFolder folder) {
    this.program = program;
    this.source = source;
    this.folder = folder;
    thread = Thread.ofPlatform().daemon().name("counters").unstarted(this::run);
  }

  /** Starts to publish. */
  public static CountersPublisher start(ProgramInfo program, SampleSource source) {
    return start(program, source, ProgramFolder.ofUser());
  }

  static CountersPublisher start(ProgramInfo program, SampleSource source, ProgramFolder folder) {
    CountersPublisher publisher = new CountersPublisher(program, source, folder);
    publisher.thread.start();
    return publisher;
  }

  private void run() {
    try (CountersWriter writer = folder.create(program)) {
      DropRecorder drops = new DropRecorder(System.nanoTime());
      boolean isLast = false;
      while (!isLast) {
        isLast = end.await(INTERVAL_MS, TimeUnit.MILLISECONDS);
        List<Sample> samples = source.samples();
        writer.write(samples);
        drops.take(samples, System.nanoTime(), isLast);
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

  /** Publishes the last numbers, and removes the file. */
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
