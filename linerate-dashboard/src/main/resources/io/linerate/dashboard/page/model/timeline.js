/**
 * A day of totals, one column for each key, all of the length of `times` (ms): each second of the last
 * minutes, and coarser with age, as the program itself keeps them. What was not there at a time is null.
 * Rates are differences of two neighbours, so that they are exact means whatever was left out between, and
 * null where a total fell, which it does when a program starts anew. "Now" is the last of them: a number and the
 * end of its line in a chart say the same.
 */

/** Up to which age one total is kept for each step, in ms. */
const LEVELS = [[600_000, 0], [7_200_000, 10_000], [86_400_000, 60_000]];

/** Totals between two looks at what is to be left out. */
const THIN_EVERY = 120;

/** Totals that are nearer to each other say nothing of the rate: one may have been taken while the other was written. */
const LEAST_MS = 500;

export class Timeline {
  times = [];
  #columns = new Map();
  #appended = 0;

  append(timeMs, totals) {
    if (this.times.length > 0 && timeMs - this.times.at(-1) < LEAST_MS) {
      return;
    }
    const before = this.times.length;
    this.times.push(timeMs);
    for (const [key, total] of totals) {
      let column = this.#columns.get(key);
      if (!column) {
        column = new Array(before).fill(null);
        this.#columns.set(key, column);
      }
      column.push(total);
    }
    for (const column of this.#columns.values()) {
      if (column.length === before) {
        column.push(null);
      }
    }
    if (++this.#appended % THIN_EVERY === 0) {
      this.#thin();
    }
  }

  /**
   * Puts what the program remembers between what was seen here: {timesMs, series: {key: totals}}. Of keys that
   * the history has nothing of, nothing changes.
   */
  merge(history) {
    const seen = this.times;
    const isNew = (time, next) => !(seen[next] - time < LEAST_MS) && !(time - seen[next - 1] < LEAST_MS);
    const order = [];
    let next = 0;
    history.timesMs.forEach((time, i) => {
      while (next < seen.length && seen[next] <= time) {
        order.push({ own: next++ });
      }
      const same = order.at(-1);
      if (same?.own !== undefined && seen[same.own] === time) {
        same.past = i;
      } else if (isNew(time, next)) {
        order.push({ past: i });
      }
    });
    while (next < seen.length) {
      order.push({ own: next++ });
    }
    const keys = new Set([...this.#columns.keys(), ...Object.keys(history.series)]);
    for (const key of keys) {
      const own = this.#columns.get(key);
      const past = history.series[key];
      this.#columns.set(key, order.map((at) => own?.[at.own] ?? past?.[at.past] ?? null));
    }
    this.times = order.map((at) => (at.own === undefined ? history.timesMs[at.past] : seen[at.own]));
    this.#thin();
  }

  /** Leaves out what is too old for its step: the last of each step stays. */
  #thin() {
    const { times } = this;
    const now = times.at(-1) ?? 0;
    const stepAt = (i) => LEVELS.find(([age]) => now - times[i] <= age)?.[1];
    const kept = times.map((time, i) => {
      const step = stepAt(i);
      return step === 0 || (step > 0 && Math.floor(time / step) !== Math.floor(times[i + 1] / step));
    });
    if (kept.every(Boolean)) {
      return;
    }
    const left = (column) => column.filter((_, i) => kept[i]);
    this.times = left(times);
    for (const [key, column] of this.#columns) {
      const thin = left(column);
      if (thin.every((total) => total === null)) {
        this.#columns.delete(key);
      } else {
        this.#columns.set(key, thin);
      }
    }
  }

  clear() {
    this.times = [];
    this.#columns.clear();
  }

  /** Per second, at each time from the index on; the first of all has none. */
  rates(key, from = 0) {
    const column = this.#columns.get(key);
    const rates = new Array(this.times.length - from);
    for (let i = from; i < this.times.length; i++) {
      rates[i - from] = column ? this.#between(column, i - 1, i) : null;
    }
    return rates;
  }

  /** Per second, now. */
  rate(key) {
    const column = this.#columns.get(key);
    const last = this.times.length - 1;
    return column && last > 0 ? this.#between(column, last - 1, last) : null;
  }

  /** What part of their sum the first of two rates is: of busy and idle time, the load. */
  share(key, other, from = 0) {
    const some = this.rates(key, from);
    const rest = this.rates(other, from);
    return some.map((rate, i) => part(rate, rest[i]));
  }

  /** The same now. */
  shareNow(key, other) {
    return part(this.rate(key), this.rate(other));
  }

  /** The index of the first time that is not before this one. */
  indexAt(timeMs) {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.times[middle] < timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Nothing is known of the time between two totals of which one is missing, and of a key that just came. */
  #between(column, first, last) {
    const from = first < 0 ? null : column[first];
    const to = column[last];
    if (from == null || to == null || to < from) {
      return null;
    }
    return (1000 * (to - from)) / (this.times[last] - this.times[first]);
  }

  /** All of it, for a snapshot. */
  toJSON() {
    return { timesMs: this.times, series: Object.fromEntries(this.#columns) };
  }
}

const part = (some, rest) => (some === null || rest === null || some + rest === 0 ? null : some / (some + rest));
