package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * What looks at some of a worker's bursts before their handler does; mostly nothing. The worker
 * itself counts the bursts in between: to ask at each burst cost a quarter of the rate.
 */
final class BurstLooks {
  private static final System.Logger LOG = System.getLogger(BurstLooks.class.getName());

  private final int worker;
  private @Nullable BurstProbe probe;
  private int every;
  private int left;

  BurstLooks(int worker) {
    this.worker = worker;
  }

  /**
   * Begins anew: see {@link Worker#probe}.
   *
   * @return bursts until the first look; 0: there is none
   */
  int begin(@Nullable BurstProbe next, int everyBursts, int looks) {
    probe = next;
    every = everyBursts;
    left = looks;
    return next == null || looks < 1 ? 0 : everyBursts;
  }

  /** Looks, and returns the bursts until the next look; 0: there is none. */
  int look(Burst burst) {
    BurstProbe by = probe;
    if (by == null) {
      return 0;
    }
    try {
      by.onBurst(burst);
      return --left > 0 ? every : 0;
    } catch (Throwable e) { // Whoever looks on costs no packet.
      probe = null;
      LOG.log(Level.ERROR, "probe failed and is taken away: worker=" + worker, e);
      return 0;
    }
  }
}
