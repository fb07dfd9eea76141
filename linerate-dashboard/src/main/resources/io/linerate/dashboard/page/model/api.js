/**
 * The program's HTTP interface. What changes something carries the token; when there is none, or it
 * is refused, the user is asked for it, and the request is made again.
 */

/** What the program said about a request that it refused. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const STORE = "linerate.token";

export class Api {
  #ask = async () => null;

  constructor() {
    const given = new URLSearchParams(location.hash.slice(1)).get("token");
    if (given) {
      this.token = given;
      // Neither the address bar nor the history keeps it.
      history.replaceState(null, "", location.pathname + location.search);
    }
  }

  /** @param ask shows a question for the token, with what is wrong; returns it, or null */
  onTokenNeeded(ask) {
    this.#ask = ask;
  }

  get token() {
    return sessionStorage.getItem(STORE);
  }

  set token(token) {
    if (token) {
      sessionStorage.setItem(STORE, token);
    } else {
      sessionStorage.removeItem(STORE);
    }
  }

  /** Reads something. */
  async get(path) {
    const response = await fetch(path, { headers: { Accept: "application/json" } });
    return this.#body(response);
  }

  /** Changes something. Null if the user has no token to give. */
  async change(method, path, body) {
    return this.#withToken(async (headers) => {
      const content = body === undefined ? {} : { "Content-Type": "application/json" };
      const response = await fetch(path, {
        method,
        headers: { Accept: "application/json", ...headers, ...content },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return this.#body(response);
    });
  }

  /** The bytes of something that only the token's owner may have. */
  async download(path) {
    return this.#withToken(async (headers) => {
      const response = await fetch(path, { headers });
      return response.ok ? response.blob() : this.#body(response);
    });
  }

  async #withToken(request) {
    let problem = "";
    for (;;) {
      if (!this.token) {
        this.token = await this.#ask(problem);
        if (!this.token) {
          return null;
        }
      }
      try {
        return await request({ Authorization: `Bearer ${this.token}` });
      } catch (e) {
        if (!(e instanceof Refusal) || (e.status !== 401 && e.status !== 403)) {
          throw e;
        }
        this.token = null;
        problem = e.message;
      }
    }
  }

  async #body(response) {
    const text = await response.text();
    let body = null;
    try {
      body = text ? JSON.parse(text) : {};
    } catch {
      // Not JSON: the status says enough.
    }
    if (!response.ok) {
      throw new Refusal(response.status, body?.error ?? `the program answered ${response.status}`);
    }
    return body;
  }
}
