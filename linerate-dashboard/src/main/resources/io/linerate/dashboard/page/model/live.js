/**
 * The program's state as it comes, once a second: server-sent events, read here because a browser's own
 * reader cannot send the token. When they stop, it connects again every few seconds, until the program says
 * that it has ended.
 */
const RETRY_MS = 3_000;

/** The program says at least every 15 seconds that it is there. */
const SILENCE_MS = 40_000;

export class Live {
  #api;
  #path;
  #onState;
  #onConnection;
  #connection = null;
  #retry = 0;
  #silence = 0;

  /**
   * @param onState called with each state
   * @param onConnection called with "live" when states come, "lost" when they stop, "locked" when they need
   *   a token that there is not, "ended" at the end
   */
  constructor(api, path, onState, onConnection) {
    this.#api = api;
    this.#path = path;
    this.#onState = onState;
    this.#onConnection = onConnection;
  }

  start() {
    this.stop();
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
      this.#lost(connection, e.status === 401 || e.status === 403 ? "locked" : "lost");
    }
  }

  async #next(reader, connection) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => connection.abort(), SILENCE_MS);
    return reader.read();
  }

  #take(event) {
    const name = event.match(/^event: (.*)$/m)?.[1];
    if (name === "state") {
      this.#onConnection("live");
      this.#onState(JSON.parse(event.slice(event.indexOf("data: ") + 6)));
    } else if (name === "end") {
      this.stop();
      this.#onConnection("ended");
    }
  }

  #lost(connection, how) {
    if (connection !== this.#connection) {
      return; // It was stopped on purpose, or another has begun.
    }
    clearTimeout(this.#silence);
    this.#onConnection(how);
    if (how === "lost") {
      this.#retry = setTimeout(() => this.start(), RETRY_MS);
    }
  }
}
