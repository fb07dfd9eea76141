/**
 * How often each rule decides in a second, by its place: the difference of the two newest states, as all rates. Of
 * thousands of rules no more is kept.
 */
export class RuleRates {
  #timeMs = 0;
  #rules = [];
  #rates = [];

  /** @param rules [{line, rule, hits}] in their order */
  take(timeMs, rules) {
    if (timeMs === this.#timeMs) {
      return;
    }
    const seconds = (timeMs - this.#timeMs) / 1000;
    const before = this.#rules.length > 0 ? new Map(this.#rules.map((rule) => [key(rule), rule.hits])) : null;
    this.#rates = rules.map((rule) => {
      const hits = before?.get(key(rule));
      return hits === undefined || rule.hits < hits || seconds <= 0 ? null : (rule.hits - hits) / seconds;
    });
    this.#rules = rules;
    this.#timeMs = timeMs;
  }

  /** Null while it is not known. */
  rate(index) {
    return this.#rates[index] ?? null;
  }
}

const key = ({ line, rule }) => `${line}:${rule}`;
