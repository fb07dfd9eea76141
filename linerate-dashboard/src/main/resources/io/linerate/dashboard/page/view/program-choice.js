import { programKey } from "../model/programs.js";
import { h, keyed } from "./dom.js";

const PERIOD_MS = 5_000;

/** The list of running programs to choose from, where there are several: they come and go. */
export class ProgramChoice {
  #api;
  #host = document.getElementById("programs");
  #select = this.#host.querySelector("select");
  #isOwn;
  #chosen;
  #seen;

  /**
   * @param isOwn whether a program is the one that is shown
   * @param chosen called with another one
   * @param seen called with the list whenever it was read
   */
  constructor(api, isOwn, chosen, seen) {
    this.#api = api;
    this.#isOwn = isOwn;
    this.#chosen = chosen;
    this.#seen = seen;
    for (const opening of ["pointerenter", "focus"]) {
      this.#select.addEventListener(opening, () => this.#read());
    }
  }

  /** Reads it now, and again and again. */
  async start() {
    await this.#read();
    setTimeout(() => this.start(), PERIOD_MS);
  }

  async #read() {
    try {
      const programs = await this.#api.get("api/programs");
      this.#list(programs);
      this.#seen(programs);
    } catch {
      // Nobody answers: the list stays as it was seen last.
    }
  }

  #list(programs) {
    this.#host.hidden = programs.length < 2;
    const own = programs.find(this.#isOwn);
    const value = this.#select === document.activeElement ? this.#select.value : own ? programKey(own) : "";
    keyed(this.#select, programs, programKey,
      (one) => h("option", { value: programKey(one) }, `${one.name} (${one.program ?? one.pid})`));
    this.#select.value = value;
    this.#select.onchange = () => {
      const one = programs.find((program) => programKey(program) === this.#select.value);
      this.#select.blur();
      this.#chosen(one);
    };
  }
}
