package io.linerate.fabric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a class logs while this is open: {@code LEVEL text}. */
final class LogRecords extends Handler implements AutoCloseable {
  final List<String> texts = new CopyOnWriteArrayList<>();
  private static final long SOON_MINUTES = 3;

  private final CountDownLatch hasWarned = new CountDownLatch(1);
  private final Logger logger;

  LogRecords(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord event) {
    texts.add(event.getLevel() + " " + new SimpleFormatter().formatMessage(event));
    if (event.getLevel().equals(Level.WARNING)) {
      hasWarned.countDown();
    }
  }

  /** Blocks until there is a warning; false if there is none for minutes. */
  boolean awaitWarning() {
    try {
      return hasWarned.await(SOON_MINUTES, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
