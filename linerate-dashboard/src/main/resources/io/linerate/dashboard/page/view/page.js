import { Api } from "../model/api.js";
import { age } from "../model/format.js";
import { Live } from "../model/live.js";
import { programKey } from "../model/programs.js";
import { Span } from "../model/span.js";
import { Timeline } from "../model/timeline.js";
import { badDrops, lost, totals } from "../model/totals.js";
import { recolour } from "./chart.js";
import { choice } from "./choice.js";
import { keys, tokenDialog } from "./dialogs.js";
import { attribute, h, keyed, save, text } from "./dom.js";
import { elementTable } from "./element-table.js";
import { figures } from "./figures.js";
import { graph } from "./graph.js";
import { Inspector } from "./inspector.js";
import { log } from "./log.js";
import { ports } from "./ports.js";
import { rules } from "./rules.js";
import { nextTheme, watchTheme } from "./theme.js";
import { drops, throughput } from "./throughput.js";
import { traffic } from "./traffic.js";
import { machine, pools, workers } from "./workers.js";

const HOUR_S = 3_600;
const NOTICE_MS = 5_000;
const PROGRAMS_MS = 5_000;

const byId = (id) => document.getElementById(id);

/** What a program does not have, it does not have: views need not tell null from absent. */
const withoutNulls = (state) => Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null));

/** The page: what it knows of the program, and the views that show it. */
export class Page {
  api = new Api();
  timeline = new Timeline();
  span = new Span(() => this.#spanChanged());
  /** Captures that were started here, by their edge. */
  taps = new Map();
  /** What is shown; what came since is in `#latest`. */
  state = null;
  #latest = null;
  #isPaused = false;
  #live = null;
  #connection = "lost";
  /** Which one, where a server shows several; null where it shows its own. */
  #program = new URLSearchParams(location.search).get("program");
  #views = [];
  #inspector;
  #pressSpan;
  #notice = 0;

  async start() {
    this.#inspector = new Inspector(this);
    byId("all").hidden = this.#program === null;
    this.#views = [figures, graph, elementTable, throughput, drops, ports, traffic, rules, workers, pools, machine, log]
      .map((view) => view(this));
    this.#controls();
    await this.#findPrograms();
    this.#follow();
  }

  // --- what the views ask for ---

  /** The end of the charts: the time of the state that is shown. */
  get nowMs() {
    return this.state?.timeMs ?? Date.now();
  }

  /** An address of the interface, for the program that is shown. */
  path(path) {
    return this.#program === null ? path : `${path}${path.includes("?") ? "&" : "?"}program=${encodeURIComponent(this.#program)}`;
  }

  /** The part of its time in which a worker has packets. */
  load(id) {
    const busy = this.timeline.rate(`worker.${id}.busyNs`);
    const idle = this.timeline.rate(`worker.${id}.idleNs`);
    return busy === null || idle === null || busy + idle === 0 ? null : busy / (busy + idle);
  }

  /** How much of the workers' work a node of the drawing has: its part of the packets, by their load. */
  heat(node, rate, busiest) {
    if (node.kind === "worker") {
      return this.load(node.worker) ?? 0;
    }
    const loads = this.state.workers.map(({ id }) => this.load(id) ?? 0);
    const load = loads.length > 0 ? loads.reduce((a, b) => a + b) / loads.length : 0;
    return busiest > 0 ? (load * (rate ?? 0)) / busiest : 0;
  }

  /** Packets that a node of the drawing has dropped, or a port has lost. */
  dropped(node) {
    if (node.kind === "element") {
      return badDrops(this.state.elements.find(({ name }) => name === node.name)?.dropped);
    }
    const port = node.drops && this.state.ports.find(({ name }) => name === node.name);
    return lost(port || null);
  }

  select(kind, name) {
    this.#inspector.open(kind, name);
  }

  isSelected(kind, name) {
    return this.#inspector.shows(kind, name);
  }

  /** Does something that changes the program, and says how it went. Whether it was done. */
  async act(done, action, problem = null) {
    try {
      const answer = await action();
      this.#showToken();
      if (answer === null) {
        return false;
      }
      this.notify(done);
      return true;
    } catch (e) {
      this.#showToken();
      if (problem) {
        text(problem, e.message);
      } else {
        this.notify(e.message, "bad");
      }
      return false;
    }
  }

  /** Goes where a link to the interface leads: a browser does not send the token by itself. */
  async follow(event) {
    if (!this.api.token || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    try {
      const response = await this.api.open(event.currentTarget.href, "*/*");
      location.assign(URL.createObjectURL(await response.blob()));
    } catch (e) {
      this.notify(e.message, "bad");
    }
  }

  notify(words, kind = "good") {
    const notice = byId("notice");
    clearTimeout(this.#notice);
    notice.dataset.kind = kind;
    notice.hidden = false;
    text(notice, words);
    this.#notice = setTimeout(() => (notice.hidden = true), NOTICE_MS);
  }

  redraw() {
    if (this.state) {
      this.#views.forEach((update) => update());
      this.#inspector.update();
      this.#about();
    }
  }

  // --- states come ---

  #follow() {
    this.#live?.stop();
    this.timeline.clear();
    this.state = null;
    this.#latest = null;
    this.#live = new Live(this.api, this.path("api/live"), (state) => this.#take(withoutNulls(state)), (how) => this.#connected(how));
    this.#live.start();
    this.#remember();
  }

  /** What the program remembers of the last hour. */
  async #remember() {
    const live = this.#live;
    try {
      const past = await this.api.get(this.path(`api/history?seconds=${HOUR_S}`));
      if (live === this.#live) { // Otherwise another program was chosen meanwhile.
        this.timeline.prepend(past);
        this.redraw();
      }
    } catch {
      // The charts begin now, then.
    }
  }

  #take(state) {
    if (this.#latest && this.#latest.program?.startedMs !== state.program?.startedMs) {
      this.timeline.clear();
    }
    this.#latest = state;
    this.timeline.append(state.timeMs, totals(state));
    if (this.#isPaused && this.state) {
      this.#about();
      return;
    }
    this.state = state;
    this.redraw();
  }

  #connected(how) {
    this.#connection = how;
    const node = byId("connection");
    const state = how === "live" && this.#isPaused ? "paused" : how;
    attribute(node, "data-state", state);
    text(node, { live: "live", paused: "paused", lost: "no connection", locked: "needs the token", ended: "the program has ended" }[state]);
  }

  #about() {
    const { program, timeMs } = this.state;
    document.documentElement.classList.toggle("read-only", Boolean(this.state.readOnly));
    text(byId("program"), program.name);
    document.title = `${program.name} · Linerate`;
    const behind = Math.round((this.#latest.timeMs - timeMs) / 1000);
    text(byId("about"), [
      `pid ${program.pid}`,
      `version ${program.version}`,
      `up ${age(timeMs - program.startedMs)}`,
      this.#isPaused && behind > 0 ? `${behind} s behind` : null,
      this.state.readOnly ? "read only" : null,
    ].filter(Boolean).join(" · "));
    byId("about").title = program.command ?? "";
  }

  // --- what the user does ---

  #controls() {
    this.#pressSpan = choice(byId("span"), Span.CHOICES, 60, (seconds) => this.span.last(Number(seconds)));
    const back = h("button", { type: "button", id: "unzoom", hidden: true, onclick: () => this.span.reset() }, "Zoomed ✕");
    byId("span").append(back);
    this.api.onTokenNeeded(tokenDialog(this.api, () => {
      this.#showToken();
      if (this.#connection === "locked") {
        this.#follow();
      }
    }));
    this.#showToken();
    byId("pause").addEventListener("click", () => this.#pause());
    byId("snapshot").addEventListener("click", () => this.#snapshot());
    byId("theme").addEventListener("click", () => this.#theme());
    watchTheme(() => this.#recolour());
    const go = (id) => () => {
      byId(id).scrollIntoView();
      byId(id).focus({ preventScroll: true });
    };
    keys([
      ["p", "pause, and go on", () => this.#pause()],
      ["1", "the last minute", () => this.span.last(60)],
      ["5", "the last 5 minutes", () => this.span.last(300)],
      ["h", "the last hour", () => this.span.last(HOUR_S)],
      ["g", "graph", go("graph")],
      ["o", "ports", go("ports")],
      ["t", "traffic", go("traffic")],
      ["r", "rules", go("rules")],
      ["w", "workers", go("workers")],
      ["l", "log", go("log")],
      ["/", "filter the log", () => byId("log-search").focus()],
      ["s", "snapshot", () => this.#snapshot()],
      ["k", "token", () => this.state?.readOnly || byId("token").click()],
      ["d", "light or dark", () => this.#theme()],
      ["Escape", "close the panel", () => this.#inspector.close()],
    ]);
  }

  #spanChanged() {
    this.#pressSpan(this.span.isZoomed ? null : this.span.seconds);
    byId("unzoom").hidden = !this.span.isZoomed;
    byId("unzoom").setAttribute("aria-pressed", String(this.span.isZoomed));
    this.redraw();
  }

  #pause() {
    this.#isPaused = !this.#isPaused;
    byId("pause").setAttribute("aria-pressed", String(this.#isPaused));
    text(byId("pause").querySelector("span"), this.#isPaused ? "Go on" : "Pause");
    if (!this.#isPaused) {
      this.state = this.#latest;
    }
    this.#connected(this.#connection);
    this.redraw();
  }

  #snapshot() {
    if (!this.state) {
      return;
    }
    const data = { savedMs: Date.now(), state: this.state, history: this.timeline };
    const time = new Date(this.state.timeMs).toISOString().replace(/[:.]/g, "-");
    save(`linerate-${this.state.program.name}-${time}.json`, new Blob([JSON.stringify(data)], { type: "application/json" }));
    this.notify("The snapshot was saved.");
  }

  #theme() {
    this.notify(`Colours: ${nextTheme()}.`);
    this.#recolour();
  }

  #recolour() {
    recolour();
    this.redraw();
  }

  #showToken() {
    byId("token").dataset.state = this.api.token ? "given" : "absent";
    byId("token").title = this.api.token ? "There is a token (k)" : "Token, for changes (k)";
  }

  /** When there are several programs, a list to choose from; programs come and go. */
  async #findPrograms() {
    try {
      this.#list(await this.api.get("api/programs"));
    } catch {
      if (this.#connection === "ended") {
        return; // There is nobody to ask any more.
      }
    }
    setTimeout(() => this.#findPrograms(), PROGRAMS_MS);
  }

  #list(programs) {
    const select = byId("programs").querySelector("select");
    byId("programs").hidden = programs.length < 2;
    if (select === document.activeElement) {
      return; // It may be open.
    }
    const own = programs.find((one) => one.self || programKey(one) === this.#program);
    keyed(select, programs, programKey,
      (one) => h("option", { value: programKey(one) }, `${one.name} (${one.program ?? one.pid})`));
    select.value = own ? programKey(own) : "";
    select.onchange = () => this.#choose(programs.find((one) => programKey(one) === select.value));
  }

  #choose(program) {
    byId("programs").querySelector("select").blur();
    if (program.url && !program.self) {
      location.assign(program.url);
    } else if (!program.self) {
      this.#program = programKey(program);
      history.replaceState(null, "", `?program=${encodeURIComponent(this.#program)}`);
      this.#inspector.close();
      this.#follow();
    }
  }
}
