/**
 * What the page shows, as the part of its address behind the #: name=value pairs, so that a link opens the same
 * view. The browser sends it nowhere.
 */
export class Address {
  #parts = new URLSearchParams(location.hash.slice(1));

  get(name) {
    return this.#parts.get(name);
  }

  /** Sets a part; null, false and "" take it away. */
  set(name, value) {
    const before = this.#parts.toString();
    if (value === null || value === false || value === "") {
      this.#parts.delete(name);
    } else {
      this.#parts.set(name, value === true ? "yes" : value);
    }
    if (this.#parts.toString() !== before) {
      this.#write();
    }
  }

  /** Takes a part out: neither the address bar nor the history keeps it. */
  take(name) {
    const value = this.get(name);
    if (value !== null) {
      this.#parts.delete(name);
      this.#write();
    }
    return value;
  }

  #write() {
    const text = this.#parts.toString();
    history.replaceState(null, "", location.pathname + location.search + (text ? `#${text}` : ""));
  }
}
