import { age, clock } from "../model/format.js";
import { attribute, text } from "./dom.js";

/** States come once a second: after so long without one, what is shown is not how things stand. */
const STALE_MS = 3_500;
const TICK_MS = 1_000;

const WORDS = {
  waiting: "connecting",
  live: "live",
  resting: "rests while nobody looks",
  paused: "paused",
  silent: "no answer",
  lost: "no connection",
  locked: "needs the token",
  ended: "the program has ended",
};

/** Says whether the numbers are those of now; when they are not, they become grey, and it says of when they are. */
export class Connection {
  how = "waiting";
  #isPaused = false;
  #heardMs = null;
  #staleChanged;

  /** @param staleChanged called when the numbers become old, or new */
  constructor(staleChanged) {
    this.#staleChanged = staleChanged;
    setInterval(() => this.#show(), TICK_MS);
  }

  /** A state has come. */
  heard() {
    this.#heardMs = Date.now();
    this.#show();
  }

  /** As `Live` says it. */
  is(how) {
    this.how = how;
    this.#show();
  }

  pause(isPaused) {
    this.#isPaused = isPaused;
    this.#show();
  }

  #show() {
    const agoMs = this.#heardMs === null ? 0 : Date.now() - this.#heardMs;
    const isStale = this.#heardMs !== null && (agoMs > STALE_MS || this.how !== "live");
    const state = this.how !== "live" ? this.how : isStale ? "silent" : this.#isPaused ? "paused" : "live";
    const node = document.getElementById("connection");
    attribute(node, "data-state", state);
    text(node, WORDS[state]);
    const heard = document.getElementById("heard");
    heard.hidden = !isStale;
    // Apart from the other, which screen readers read out when it changes.
    text(heard, isStale ? `last heard ${clock(this.#heardMs)} (${age(agoMs)} ago)` : "");
    if (document.documentElement.classList.contains("stale") !== isStale) {
      document.documentElement.classList.toggle("stale", isStale);
      this.#staleChanged();
    }
  }
}
