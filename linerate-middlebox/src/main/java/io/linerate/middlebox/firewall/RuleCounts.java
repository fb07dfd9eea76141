package io.linerate.middlebox.firewall;

import io.linerate.core.counter.SingleWriterCounters;

/**
 * How often each rule decided, on one worker in one direction: written by the worker, read by any
 * thread. When the rules change, those that stay keep their counts.
 */
final class RuleCounts {
  private volatile Counted counted;

  /** Counts, and the rules that they are about. */
  private record Counted(RuleEdition edition, SingleWriterCounters hits) {
    Counted(RuleEdition edition) {
      this(edition, new SingleWriterCounters(edition.size()));
    }
  }

  RuleCounts(RuleEdition edition) {
    counted = new Counted(edition);
  }

  /** Where the worker counts hits. */
  SingleWriterCounters hits() {
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
  void addTo(RuleEdition wanted, SingleWriterCounters totals) {
    Counted now = counted;
    for (int i = 0; i < totals.size(); i++) {
      int index = wanted.indexIn(now.edition, i);
      if (index >= 0) {
        totals.add(i, now.hits.get(index));
      }
    }
  }
}
