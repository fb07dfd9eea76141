package io.linerate.core.port;

import io.linerate.core.memory.DropCounts;
import org.jspecify.annotations.Nullable;

/** A transmit queue that stands before another and is that queue, but for what it overrides. */
public interface TxQueueDecorator extends TxQueue {
  /** The queue that it stands before. */
  TxQueue inner();

  @Override
  default int mtuBytes() {
    return inner().mtuBytes();
  }

  @Override
  default boolean finishes(long mbuf) {
    return inner().finishes(mbuf);
  }

  @Override
  default boolean finishesChecksums() {
    return inner().finishesChecksums();
  }

  @Override
  default boolean cutsDatagrams() {
    return inner().cutsDatagrams();
  }

  @Override
  default @Nullable DropCounts refused() {
    return inner().refused();
  }

  @Override
  default int undecided() {
    return inner().undecided();
  }

  @Override
  default long made() {
    return inner().made();
  }

  @Override
  default void decide() {
    inner().decide();
  }

  @Override
  default void flush() {
    inner().flush();
  }

  @Override
  default int waiting() {
    return inner().waiting();
  }
}
