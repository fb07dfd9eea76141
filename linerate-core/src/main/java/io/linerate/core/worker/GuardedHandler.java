package io.linerate.core.worker;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.Port;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A handler whose failures cost packets and are logged, but reach nobody. For the thread of its
 * worker.
 */
public final class GuardedHandler {
  private final FailureLog failures;
  private final Supplier<String> failure;
  private BurstHandler handler;

  /**
   * @param failure says what failed and where, such as {@code handler failed: worker=0, port=in}
   */
  public GuardedHandler(BurstHandler handler, FailureLog failures, Supplier<String> failure) {
    this.handler = handler;
    this.failures = failures;
    this.failure = failure;
  }

  /** Another handler gets the bursts from the next one on. */
  public void replace(BurstHandler next) {
    handler = next;
  }

  /**
   * Gives the handler a burst, and after a failure, which costs the packet that it was at, the
   * rest.
   *
   * @return null, or the fault of a mapped file: every packet of the burst was dropped then,
   *     because what they are is not known any more
   */
  public @Nullable InternalError accept(Burst burst) {
    int live = burst.live();
    try {
      handler.onBurst(burst);
      return null;
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      return failed(burst, live, e);
    }
  }

  /** Every failure ends at least one packet, so that this ends. */
  private @Nullable InternalError failed(Burst burst, int liveBefore, Throwable firstFailure) {
    int live = liveBefore;
    Throwable e = firstFailure;
    while (true) {
      if (MappedFileFault.is(e)) {
        burst.dropAll(DropReason.HANDLER_ERROR);
        return (InternalError) e;
      }
      OwnedBurst.dropCurrent(burst, DropReason.HANDLER_ERROR);
      if (burst.live() == live) {
        burst.dropAll(DropReason.HANDLER_ERROR);
      }
      failures.add(failure, e);
      live = burst.live();
      if (live == 0) {
        return null;
      }
      try {
        handler.onBurst(burst);
        return null;
      } catch (Throwable again) {
        e = again;
      }
    }
  }

  /** See {@link BurstHandler#isReady}: what fails is ready. */
  public boolean isReady() {
    try {
      return handler.isReady();
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      failures.add(failure, e);
      return true;
    }
  }

  void queueLeaving(Port port, int queue) {
    try {
      handler.onQueueLeaving(port, queue);
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      failures.add(failure, e);
    }
  }

  void queueArrived(Port port, int queue) {
    try {
      handler.onQueueArrived(port, queue);
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      failures.add(failure, e);
    }
  }
}
