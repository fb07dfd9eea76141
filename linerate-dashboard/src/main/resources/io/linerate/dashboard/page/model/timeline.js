/**
 * The last hour of totals, one column for each key, all of the length of `times` (ms). What was not
 * there at a time is null. Rates are differences of two neighbours, and null where a total fell,
 * which it does when a program starts anew.
 */
const LIMIT = 3_600;
const SLACK = 300;

/** Totals that are nearer to each other say nothing of the rate: one may have been taken while the other was written. */
const LEAST_MS = 500;

/** A rate that is shown as a number is that of this long, so that it does not flicker. */
const WINDOW_MS = 3_500;

export class Timeline {
  times = [];
  #columns = new Map();

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
    for (const [key, column] of this.#columns) {
      if (column.length === before) {
        column.push(null);
      }
    }
    this.#trim();
  }

  /** Puts what the program remembers before what was seen here: {timesMs, series: {key: totals}}. */
  prepend(history) {
    const first = this.times[0] ?? Infinity;
    const old = history.timesMs.filter((time) => first - time >= LEAST_MS);
    if (old.length === 0) {
      return;
    }
    const keys = new Set([...this.#columns.keys(), ...Object.keys(history.series)]);
    for (const key of keys) {
      const before = (history.series[key] ?? []).slice(0, old.length);
      const head = Array.from(old, (_, i) => before[i] ?? null);
      const tail = this.#columns.get(key) ?? new Array(this.times.length).fill(null);
      this.#columns.set(key, head.concat(tail));
    }
    this.times = old.concat(this.times);
    this.#trim();
  }

  #trim() {
    if (this.times.length > LIMIT + SLACK) {
      const excess = this.times.length - LIMIT;
      this.times.splice(0, excess);
      this.#columns.forEach((column) => column.splice(0, excess));
      for (const [key, column] of this.#columns) {
        if (column.every((total) => total === null)) {
          this.#columns.delete(key);
        }
      }
    }
  }

  clear() {
    this.times = [];
    this.#columns.clear();
  }

  /** Per second, at each time from the index on; the first of all has none. */
  rates(key, from = 0, scale = 1) {
    const column = this.#columns.get(key);
    const rates = new Array(this.times.length - from);
    for (let i = from; i < this.times.length; i++) {
      rates[i - from] = column ? this.#between(column, i - 1, i, scale) : null;
    }
    return rates;
  }

  /** Per second, now: over the last seconds. */
  rate(key) {
    const column = this.#columns.get(key);
    const last = this.times.length - 1;
    if (!column || last < 1) {
      return null;
    }
    let first = last - 1;
    while (first > 0 && this.times[last] - this.times[first - 1] <= WINDOW_MS) {
      first--;
    }
    while (first < last - 1 && column[first] === null) {
      first++;
    }
    return this.#between(column, first, last, 1);
  }

  /** What part of their sum the first of two rates is: of busy and idle time, the load. */
  share(key, other, from = 0) {
    const some = this.rates(key, from);
    const rest = this.rates(other, from);
    return some.map((rate, i) => {
      const both = rate + rest[i];
      return rate === null || rest[i] === null || both === 0 ? null : rate / both;
    });
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

  #between(column, first, last, scale) {
    const from = first < 0 ? null : column[first];
    const to = column[last];
    if (from == null || to == null || to < from) {
      return null;
    }
    return (1000 * scale * (to - from)) / (this.times[last] - this.times[first]);
  }

  /** All of it, for a snapshot. */
  toJSON() {
    return { timesMs: this.times, series: Object.fromEntries(this.#columns) };
  }
}
