import { Address } from "../model/address.js";
import { Api } from "../model/api.js";
import { age, bitRate, count, packetRate, percent } from "../model/format.js";
import { programKey } from "../model/programs.js";
import { sum } from "../model/totals.js";
import { Connection } from "./connection.js";
import { h, attribute, keyed, text } from "./dom.js";
import { nextTheme } from "./theme.js";

const PERIOD_MS = 1_000;

const byId = (id) => document.getElementById(id);

/** The list of running programs, each with its rates and the way to its page. */
export class Programs {
  #api = new Api(new Address());
  #connection = new Connection(() => {});
  #body = h("tbody");
  /** The totals of each program at the two newest times that differ. */
  #totals = new Map();

  start() {
    byId("programs").append(h("table", {},
      h("thead", {}, h("tr", {},
        h("th", {}, "Program"), h("th", { class: "number narrow-not" }, "Process"), h("th", { class: "number" }, "Up"),
        h("th", { class: "number" }, "Received"), h("th", { class: "number narrow-not" }, "Bits"),
        h("th", { class: "number" }, "Sent"), h("th", { class: "number narrow-not" }, "Bits"),
        h("th", { class: "number" }, "Dropped + lost"), h("th", { class: "number narrow-not" }, "Load"), h("th", { class: "narrow-not" }, "Page"))),
      this.#body));
    byId("theme").addEventListener("click", nextTheme);
    this.#look();
  }

  async #look() {
    try {
      this.#draw(await this.#api.get("api/programs"));
      this.#connection.is("live");
      this.#connection.heard();
    } catch (e) {
      this.#connection.is(e.status === 401 || e.status === 403 ? "locked" : "lost");
    }
    setTimeout(() => this.#look(), PERIOD_MS);
  }

  #draw(programs) {
    this.#remember(programs);
    text(byId("about"), programs.length === 1 ? "one runs" : `${programs.length} run`);
    byId("none").hidden = programs.length > 0;
    byId("programs").hidden = programs.length === 0;
    keyed(this.#body, programs, programKey, (program) => this.#row(program), (row, program) => this.#update(row, program));
  }

  #remember(programs) {
    const before = this.#totals;
    this.#totals = new Map(programs.map((program) => {
      const known = before.get(programKey(program));
      if (known?.now.startedMs !== program.startedMs) {
        return [programKey(program), { earlier: null, now: program }];
      }
      return [programKey(program), known.now.timeMs === program.timeMs ? known : { earlier: known.now, now: program }];
    }));
  }

  /** What a program counts each second; null before that is known. */
  #rate(program, name) {
    const { earlier, now } = this.#totals.get(programKey(program));
    return earlier === null || now[name] == null ? null : (1_000 * (now[name] - earlier[name])) / (now.timeMs - earlier.timeMs);
  }

  #row(program) {
    const number = (attributes = "number") => h("td", { class: attributes });
    return h("tr", { "data-program": programKey(program) },
      h("td", {}, h("a", {})), number("number narrow-not"), number(), number(), number("number quiet narrow-not"),
      number(), number("number quiet narrow-not"), number(), number("number narrow-not"), h("td", { class: "quiet narrow-not" }));
  }

  #update(row, program) {
    const [name, pid, up, received, rxBits, sent, txBits, dropped, load, page] = row.cells;
    const rate = (what) => this.#rate(program, what);
    const gone = sum(rate("dropped"), rate("lost"));
    const busy = rate("busyNs");
    const idle = rate("idleNs");
    // Its own page can do more; without one, this server shows what its counters file says.
    attribute(name.firstChild, "href", program.url ?? `index.html?program=${encodeURIComponent(program.program)}`);
    text(name.firstChild, program.name);
    attribute(name, "title", program.command || null);
    text(pid, program.pid);
    text(up, program.startedMs ? age((program.timeMs ?? Date.now()) - program.startedMs) : "–");
    text(received, packetRate(rate("received")));
    text(rxBits, bitRate(rate("rxBytes")));
    text(sent, packetRate(rate("sent")));
    text(txBits, bitRate(rate("txBytes")));
    text(dropped, packetRate(gone));
    dropped.classList.toggle("hurts", gone > 0);
    attribute(dropped, "title", `${count(program.dropped)} dropped, ${count(program.lost)} lost at devices`);
    text(load, busy === null || busy + idle === 0 ? "–" : percent(busy / (busy + idle)));
    text(page, program.url ? "its own" : "read only");
  }
}
