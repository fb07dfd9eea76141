package io.linerate.apps.top;

import io.linerate.core.counter.CountersReader;
import io.linerate.dashboard.state.Moment;
import java.io.UncheckedIOException;

/** A program whose numbers can be read, and what was seen of it. */
record Watched(CountersReader reader, Following seen) implements AutoCloseable {
  /**
   * Begins with what it wrote last.
   *
   * @param reader closed with this
   */
  static Watched of(CountersReader reader) {
    return new Watched(reader, new Following(reader.program(), Moment.of(reader)));
  }

  /**
   * Reads its numbers again.
   *
   * @return whether it runs
   */
  boolean refresh() {
    // In this order: what an ended program wrote are its last numbers.
    boolean isAlive = isAlive();
    try {
      seen.add(Moment.of(reader));
    } catch (UncheckedIOException | InternalError e) {
      // Stopped or killed while it wrote, or cut: what was seen before is the last that is certain.
    }
    return isAlive;
  }

  boolean isAlive() {
    return reader.isAlive();
  }

  /** Whether it has written its last numbers. */
  boolean hasEnded() {
    return reader.hasEnded();
  }

  /** How it has ended. */
  String end() {
    String which = "program=" + seen.name() + ", pid=" + seen.program().pid();
    return hasEnded()
        ? "the program has ended: " + which
        : "the program has gone without its last numbers: " + which;
  }

  @Override
  public void close() {
    reader.close();
  }
}
