package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Shows some of a worker's bursts to a {@link BurstProbe} before their handler gets them. The
 * worker itself counts the bursts in between: a call for each burst cost a quarter of the rate.
 */
final class BurstProbes {
  private static final System.Logger LOG = System.getLogger(BurstProbes.class.getName());

  private final int worker;
  private @Nullable BurstProbe probe;
  private int every;
  private int left;

  BurstProbes(int worker) {
    this.worker = worker;
  }

  /**
   * Begins anew: see {@link Worker#probe}.
   *
   * @return bursts until the first that is shown; 0: none is
   */
  int begin(@Nullable BurstProbe next, int everyBursts, int most) {
    probe = next;
    every = everyBursts;
    left = most;
    return next == null || most < 1 ? 0 : everyBursts;
  }

  /** Shows a burst, and returns the bursts until the next that is shown; 0: none is. */
  int show(Burst burst) {
    BurstProbe current = probe;
    if (current == null) {
      return 0;
    }
    try {
      current.onBurst(burst);
      return --left > 0 ? every : 0;
    } catch (Throwable e) { // What a probe does costs no packet.
      probe = null;
      LOG.log(Level.ERROR, "probe failed and is taken away: worker=" + worker, e);
      return 0;
    }
  }
}
