package io.linerate.track.flow;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Gets flows as they end, all on one thread. */
@FunctionalInterface
public interface FlowSink extends AutoCloseable {
  /**
   * A flow has ended, or its active time-out is over. What goes wrong is told by {@link #failure}:
   * nothing is thrown.
   *
   * @param flow until this returns
   */
  void onFlow(FlowRecord flow);

  /** Passes on what it holds back to have more of it together. */
  default void flush() {}

  /** The first thing that went wrong; null: nothing has. It ignores flows from then on. */
  default @Nullable IOException failure() {
    return null;
  }

  /**
   * Completes what it writes.
   *
   * @throws IOException what has gone wrong, if anything has
   */
  @Override
  default void close() throws IOException {}
}
