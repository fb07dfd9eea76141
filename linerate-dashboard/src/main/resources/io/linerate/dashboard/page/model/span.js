/**
 * The span of time that all charts show: the last so many seconds, which moves on, or a part of the
 * hour that was zoomed into, which stands still.
 */
export class Span {
  static CHOICES = [[60, "1 min"], [300, "5 min"], [900, "15 min"], [3_600, "1 h"]];
  static #LEAST_MS = 5_000;

  seconds = 60;
  #part = null;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  get isZoomed() {
    return this.#part !== null;
  }

  /** [from, to] in ms. */
  range(nowMs) {
    return this.#part ?? [nowMs - 1000 * this.seconds, nowMs];
  }

  last(seconds) {
    this.seconds = seconds;
    this.reset();
  }

  zoom(fromMs, toMs) {
    const middle = (fromMs + toMs) / 2;
    const half = Math.max(Span.#LEAST_MS, toMs - fromMs) / 2;
    this.#part = [middle - half, middle + half];
    this.#changed();
  }

  reset() {
    this.#part = null;
    this.#changed();
  }

  /** Keys on a chart: moves the part by quarters of its length, or makes it half or twice as long. */
  key(key, nowMs) {
    const [from, to] = this.range(nowMs);
    const length = to - from;
    const step = length / 4;
    const moves = {
      ArrowLeft: () => this.zoom(from - step, to - step),
      ArrowRight: () => (to + step >= nowMs ? this.reset() : this.zoom(from + step, to + step)),
      "+": () => this.zoom(from + step, to - step),
      "-": () => (length * 2 >= 3_600_000 ? this.last(3_600) : this.zoom(from - 2 * step, to + 2 * step)),
      "0": () => this.reset(),
    };
    moves[key]?.();
    return key in moves;
  }
}
