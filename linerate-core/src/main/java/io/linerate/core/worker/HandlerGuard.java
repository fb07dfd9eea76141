package io.linerate.core.worker;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.log.FailureLog;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropReason;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is done when a handler throws: it costs the packet that the handler was at, and is logged,
 * but reaches nobody. For the thread of its worker.
 */
public final class HandlerGuard {
  private final BurstOwner owner;
  private final FailureLog failures;
  private final String place;
  private final Supplier<String> failure;

  /**
   * @param owner of the bursts that the handler is given
   * @param place whose failures are counted together, on all workers, such as {@code port=in}
   * @param failure says what failed and where, such as {@code handler failed: worker=0, port=in}
   */
  public HandlerGuard(
      BurstOwner owner, FailureLog failures, String place, Supplier<String> failure) {
    this.owner = owner;
    this.failures = failures;
    this.place = place;
    this.failure = failure;
  }

  /** Counts and logs a failure that cost no packet. */
  public void add(Throwable thrown) {
    failures.add(place, failure, thrown);
  }

  /** As {@link #add}, of a failure that is logged elsewhere. */
  public void addLogged(Throwable thrown) {
    failures.addLogged(place, failure, thrown);
  }

  /**
   * Drops the packet that a handler was at when it threw, and gives it the rest, until it has
   * returned: every failure ends at least one packet.
   *
   * @param liveBefore packets in the burst when it was called
   * @return null, or the fault of a mapped file, where packets lie in some: every packet of the
   *     burst was dropped then, because what they are is not known any more
   */
  public @Nullable InternalError goOn(
      BurstHandler handler, Burst burst, int liveBefore, Throwable thrown) {
    int live = liveBefore;
    Throwable e = thrown;
    while (!owner.readsFiles() || !MappedFileFault.is(e)) {
      owner.dropCurrent(burst, DropReason.HANDLER_ERROR);
      if (burst.live() == live) {
        burst.dropAll(DropReason.HANDLER_ERROR);
      }
      add(e);
      live = burst.live();
      if (live == 0) {
        return null;
      }
      try {
        handler.onBurst(burst);
        owner.settle();
        return null;
      } catch (Throwable again) { // Whatever a handler does, its worker goes on.
        e = again;
      }
    }
    burst.dropAll(DropReason.HANDLER_ERROR);
    return (InternalError) e;
  }
}
