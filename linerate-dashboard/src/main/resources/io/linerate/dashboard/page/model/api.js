/**
 * The program's HTTP interface. Every request carries the token if there is one: what changes
 * something needs it, and reading too where other machines can reach the program. When there is none,
 * or it is refused, the user is asked for it, and the request is made again.
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

  /** What the user will answer, while he is asked. */
  #asking = null;

  /** Whether he had no token to give when something was to be read: it is not asked for again. */
  #isDeclined = false;

  /** @param address may have a token, which it does not keep */
  constructor(address) {
    const given = address.take("token");
    if (given) {
      this.token = given;
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
      this.#isDeclined = false;
      sessionStorage.setItem(STORE, token);
    } else {
      sessionStorage.removeItem(STORE);
    }
  }

  /** Reads something. */
  async get(path) {
    return this.#body(await this.open(path, "application/json"));
  }

  /** Begins to read something: the response, of which nothing was read. Throws a Refusal. */
  async open(path, type, signal = null) {
    const token = this.token;
    const ask = async (headers) => {
      const response = await fetch(path, { headers: { Accept: type, ...headers }, signal });
      return response.ok ? response : this.#body(response);
    };
    try {
      return await ask(this.#authorization());
    } catch (e) {
      const isLocked = e instanceof Refusal && (e.status === 401 || (e.status === 403 && token !== null));
      if (!isLocked || this.#isDeclined) {
        throw e;
      }
      if (this.token === token) {
        this.token = null;
      }
      const answer = await this.#withToken(ask, e.status === 401 ? "" : e.message);
      if (answer === null) {
        this.#isDeclined = true;
        throw e;
      }
      return answer;
    }
  }

  #authorization() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
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

  async #withToken(request, problem = "") {
    for (;;) {
      if (!this.token) {
        // One question for all that wait for its answer.
        this.#asking ??= this.#ask(problem).finally(() => (this.#asking = null));
        this.token = await this.#asking;
        if (!this.token) {
          return null;
        }
      }
      try {
        return await request(this.#authorization());
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
