/**
 * The span of time that all charts show: the last so many seconds, which moves on, or a part of the
 * day that was zoomed into, which stands still.
 */
export class Span {
  static CHOICES = [[60, "1 min"], [300, "5 min"], [900, "15 min"], [3_600, "1 h"], [21_600, "6 h"], [86_400, "24 h"]];
  static #LEAST_MS = 5_000;
  static #MOST_MS = 86_400_000;

  seconds = 60;
  #part = null;
  #address;
  #changed;

  /**
   * @param address keeps the span
   * @param changed called when it is another one
   */
  constructor(address, changed) {
    this.#address = address;
    this.#changed = changed;
    const seconds = Number(address.get("span"));
    if (Span.CHOICES.some(([choice]) => choice === seconds)) {
      this.seconds = seconds;
    }
    const part = (address.get("part") ?? "").split("-").map(Number);
    if (part.length === 2 && part[1] - part[0] >= Span.#LEAST_MS) {
      this.#part = part;
    }
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
    this.#tell();
  }

  reset() {
    this.#part = null;
    this.#tell();
  }

  #tell() {
    this.#address.set("span", this.seconds === Span.CHOICES[0][0] ? null : this.seconds);
    this.#address.set("part", this.#part?.map(Math.round).join("-") ?? null);
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
      "-": () => (length * 2 >= Span.#MOST_MS ? this.last(Span.#MOST_MS / 1000) : this.zoom(from - 2 * step, to + 2 * step)),
      "0": () => this.reset(),
    };
    moves[key]?.();
    return key in moves;
  }
}
