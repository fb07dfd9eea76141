/**
 * The program's state as it comes, once a second. The browser connects again by itself while the
 * program is there; when it gives up, this tries every few seconds, until the program says that it
 * has ended.
 */
const RETRY_MS = 3_000;

export class Live {
  #path;
  #onState;
  #onConnection;
  #events = null;
  #retry = 0;

  /**
   * @param onState called with each state
   * @param onConnection called with "live" when states come, "lost" when they stop, "ended" at the end
   */
  constructor(path, onState, onConnection) {
    this.#path = path;
    this.#onState = onState;
    this.#onConnection = onConnection;
  }

  start() {
    this.stop();
    this.#events = new EventSource(this.#path);
    this.#events.addEventListener("state", (event) => {
      this.#onConnection("live");
      this.#onState(JSON.parse(event.data));
    });
    this.#events.addEventListener("end", () => {
      this.stop();
      this.#onConnection("ended");
    });
    this.#events.addEventListener("error", () => {
      this.#onConnection("lost");
      if (this.#events?.readyState === EventSource.CLOSED) {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.start(), RETRY_MS);
      }
    });
  }

  stop() {
    clearTimeout(this.#retry);
    this.#events?.close();
    this.#events = null;
  }
}
