package io.linerate.fabric;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a class logs while this is open: {@code LEVEL text}. */
final class LogRecords extends Handler implements AutoCloseable {
  final List<String> texts = new CopyOnWriteArrayList<>();
  private final Logger logger;

  LogRecords(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord event) {
    texts.add(event.getLevel() + " " + new SimpleFormatter().formatMessage(event));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
