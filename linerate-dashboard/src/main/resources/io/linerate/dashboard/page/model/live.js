import { changed } from "./changed.js";

/**
 * The program's state as it comes, once a second, or what has changed in it: server-sent events, read here because a browser's own
 * reader cannot send the token. When they stop, it connects again every few seconds: also when the program
 * says that it has ended, for it may be started again at the same address.
 */
const RETRY_MS = 3_000;

/** The program says at least every 15 seconds that it is there. */
const SILENCE_MS = 40_000;

const ENDED = { 404: "ended", 401: "locked", 403: "locked" };

export class Live {
  #api;
  #path;
  #onState;
  #onConnection;
  #connection = null;
  #retry = 0;
  #silence = 0;
  #hasEnded = false;
  /** What came last on this connection. */
  #state = null;

  /**
   * @param onState called with each state
   * @param onConnection called with "live" when states come, "lost" when they stop, "locked" when they need
   *   a token that there is not, "ended" when the program has said that it ends
   */
  constructor(api, path, onState, onConnection) {
    this.#api = api;
    this.#path = path;
    this.#onState = onState;
    this.#onConnection = onConnection;
  }

  start() {
    this.stop();
    this.#state = null;
    this.#connection = new AbortController();
    this.#read(this.#connection);
  }

  stop() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#connection?.abort();
    this.#connection = null;
  }

  async #read(connection) {
    try {
      const response = await this.#api.open(this.#path, "text/event-stream", connection.signal);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let piece = await this.#next(reader, connection); !piece.done; piece = await this.#next(reader, connection)) {
        const events = (rest + piece.value).split("\n\n");
        rest = events.pop();
        events.forEach((event) => connection === this.#connection && this.#take(event));
      }
      this.#lost(connection, "lost");
    } catch (e) {
      this.#lost(connection, ENDED[e.status] ?? "lost");
    }
  }

  async #next(reader, connection) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => connection.abort(), SILENCE_MS);
    return reader.read();
  }

  #take(event) {
    const name = event.match(/^event: (.*)$/m)?.[1];
    if (name === "state" || name === "change") {
      const data = JSON.parse(event.slice(event.indexOf("data: ") + 6));
      this.#state = name === "state" ? data : changed(this.#state, data);
      this.#hasEnded = false;
      this.#onConnection("live");
      this.#onState(this.#state);
    } else if (name === "end") {
      this.#hasEnded = true;
    }
  }

  #lost(connection, how) {
    if (connection !== this.#connection) {
      return; // It was stopped on purpose, or another has begun.
    }
    clearTimeout(this.#silence);
    this.#onConnection(how === "lost" && this.#hasEnded ? "ended" : how);
    if (how !== "locked") {
      this.#retry = setTimeout(() => this.start(), RETRY_MS);
    }
  }
}
