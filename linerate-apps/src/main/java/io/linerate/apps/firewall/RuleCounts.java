package io.linerate.apps.firewall;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How often each rule decided, on one worker in one direction: written by the worker, read by any
 * thread. When the rules change, those that stay keep their counts.
 */
final class RuleCounts {
  private static final VarHandle HIT = MethodHandles.arrayElementVarHandle(long[].class);

  private volatile Counted counted;

  /** Counts, and the rules that they are about. */
  private static final class Counted {
    final RuleEdition edition;
    final long[] hits;

    Counted(RuleEdition edition) {
      this.edition = edition;
      hits = new long[edition.size()];
    }
  }

  RuleCounts(RuleEdition edition) {
    counted = new Counted(edition);
  }

  /** Where the worker counts hits. */
  long[] hits() {
    return counted.hits;
  }

  /** Other rules from now on. The worker only. */
  void adopt(RuleEdition next) {
    Counted fresh = new Counted(next);
    addTo(next, fresh.hits);
    counted = fresh;
  }

  /**
   * Adds its counts to totals. Any thread.
   *
   * @param wanted the rules that these are about
   */
  void addTo(RuleEdition wanted, long[] totals) {
    Counted now = counted;
    for (int i = 0; i < totals.length; i++) {
      int index = wanted.indexIn(now.edition, i);
      if (index >= 0) {
        totals[i] += (long) HIT.getOpaque(now.hits, index);
      }
    }
  }
}
