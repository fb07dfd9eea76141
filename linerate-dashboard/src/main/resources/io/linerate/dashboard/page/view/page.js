import { Address } from "../model/address.js";
import { Api } from "../model/api.js";
import { lossesAt } from "../model/drawable.js";
import { age } from "../model/format.js";
import { Live } from "../model/live.js";
import { programKey } from "../model/programs.js";
import { Span } from "../model/span.js";
import { Timeline } from "../model/timeline.js";
import { sum, totals } from "../model/totals.js";
import { balance } from "./balance.js";
import { changes } from "./changes.js";
import { recolour } from "./chart.js";
import { choice } from "./choice.js";
import { Connection } from "./connection.js";
import { keys, tokenDialog } from "./dialogs.js";
import { h, save, text } from "./dom.js";
import { elementTable } from "./element-table.js";
import { explanation } from "./explanation.js";
import { figures } from "./figures.js";
import { graph } from "./graph.js";
import { graphView } from "./graph-view.js";
import { Inspector } from "./inspector.js";
import { log } from "./log.js";
import { ports } from "./ports.js";
import { ProgramChoice } from "./program-choice.js";
import { roving } from "./roving.js";
import { rules } from "./rules.js";
import { nextTheme, watchTheme } from "./theme.js";
import { drops, throughput } from "./throughput.js";
import { traffic } from "./traffic.js";
import { trials } from "./trials.js";
import { windows } from "./windows.js";
import { machine, pools, workers } from "./workers.js";

const NOTICE_MS = 5_000;
/** A tab that nobody looks at is not sent states for longer. */
const HIDDEN_MS = 60_000;
const LANES = "lanes";
const WIDE = "wide";
const SHOWN = "show";
const SERIES = "totals,drop,port,worker,generator";

const byId = (id) => document.getElementById(id);

/** What a program does not have, it does not have: views need not tell null from absent. */
const withoutNulls = (state) => Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null));

/** The page: what it knows of the program, and the views that show it. */
export class Page {
  address = new Address();
  api = new Api(this.address);
  timeline = new Timeline();
  span = new Span(this.address, () => this.#spanChanged());
  /** Captures that were started here, by their edge. */
  taps = new Map();
  /** What is shown; what came since is in `#latest`. */
  state = null;
  #latest = null;
  #isPaused = false;
  #live = null;
  #connection;
  /** How far back the history was asked for, in seconds. */
  #rememberedS = 0;
  /** Which one, where a server shows several; null where it shows its own. */
  #program = new URLSearchParams(location.search).get("program");
  #views = [];
  #inspector;
  #pressSpan;
  #notice = 0;

  start() {
    this.#connection = new Connection(() => this.#recolour());
    this.#inspector = new Inspector(this);
    byId("all").hidden = this.#program === null;
    this.#views = [
      figures, balance, graphView, graph, elementTable, explanation, throughput, drops, changes, trials, windows, ports, traffic, rules, workers, pools, machine, log,
    ].map((view) => view(this));
    this.#controls();
    new ProgramChoice(
      this.api,
      (one) => one.self || programKey(one) === this.#program,
      (one) => this.#choose(one),
      (programs) => this.#succeed(programs)).start();
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

  /** The rates of some keys of the timeline, together; null if none is known. */
  rate(keys) {
    return sum(...keys.map((key) => this.timeline.rate(key)));
  }

  /** The part of its time in which a worker has packets. */
  load(id) {
    return this.timeline.shareNow(`worker.${id}.busyNs`, `worker.${id}.idleNs`);
  }

  /** Packets that come to a node of the drawing each second, or that it makes. */
  nodeRate(node) {
    const came = this.rate(node.rates);
    return came || this.rate(node.made) || came;
  }

  /** What an element takes of its workers' time now: null where that is not known. The share is of one worker, for all of them. */
  takes(element) {
    const [ns, packets, bursts] = ["ns", "packets", "bursts"].map((name) => this.timeline.rate(`element.${element}.timed.${name}`));
    const isKnown = ns !== null && packets > 0 && bursts > 0;
    return {
      share: ns === null ? null : ns / 1e9,
      nsAPacket: isKnown ? ns / packets : null,
      packetsABurst: isKnown ? packets / bursts : null,
    };
  }

  /** How much of a worker a node of the drawing takes; where that is not known, its part of the packets by their load. */
  heat(node, rate, busiest) {
    if (node.kind === "worker") {
      return this.load(node.worker) ?? 0;
    }
    const members = (node.members ?? [node]).map(({ name }) => this.takes(name).share);
    if (members.some((share) => share !== null)) {
      return Math.min(1, sum(...members) / (node.workers ?? this.state.workers).length);
    }
    const own = node.workers ?? this.state.workers.map(({ id }) => id);
    const loads = own.map((id) => this.load(id) ?? 0);
    const load = loads.length > 0 ? loads.reduce((a, b) => a + b) / loads.length : 0;
    return busiest > 0 ? (load * (rate ?? 0)) / busiest : 0;
  }

  /** The ports at which an element's packets are lost. */
  lossesAt(element) {
    return lossesAt(element, this.state);
  }

  select(kind, name) {
    this.#inspector.open(kind, name);
  }

  isSelected(kind, name) {
    return this.#inspector.shows(kind, name);
  }

  /** What is open in the panel at the side: "element NAME" or "edge ID"; null. */
  showed(what) {
    this.address.set(SHOWN, what);
  }

  /** Names of the lanes of the drawing that are not folded. */
  get openedLanes() {
    return new Set(this.address.get(LANES)?.split(" ") ?? []);
  }

  openLanes(name) {
    this.address.set(LANES, [...this.openedLanes.add(name)].join(" "));
    this.redraw();
  }

  foldLanes() {
    this.address.set(LANES, null);
    this.redraw();
  }

  get isGraphWide() {
    return this.address.get(WIDE) !== null;
  }

  widenGraph(isWide) {
    this.address.set(WIDE, isWide);
    this.redraw();
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
    this.#forget();
    this.state = null;
    this.#latest = null;
    this.#live = new Live(this.api, this.path("api/live?changes=yes"), (state) => this.#take(withoutNulls(state)), (how) => this.#connected(how));
    this.#live.start();
    this.remember();
  }

  #forget() {
    this.timeline.clear();
    this.taps.clear();
    this.#rememberedS = 0;
  }

  /** Fetches what the program remembers of the span that the charts show: what all charts need, or these series. */
  async remember(series = [SERIES, this.#inspector.series].filter(Boolean).join(",")) {
    const live = this.#live;
    const seconds = Math.max(this.span.seconds, this.#rememberedS);
    this.#rememberedS = seconds;
    try {
      const past = await this.api.get(this.path(`api/history?${new URLSearchParams({ seconds, series })}`));
      if (live === this.#live) { // Otherwise another program was chosen meanwhile.
        this.timeline.merge(past);
        this.redraw();
      }
    } catch {
      // The charts begin now, then.
    }
  }

  #take(state) {
    this.#connection.heard();
    if (this.#latest && this.#latest.program?.startedMs !== state.program?.startedMs) {
      this.#startAnew(state);
    }
    this.#latest = state;
    this.timeline.append(state.timeMs, totals(state));
    if (this.#isPaused && this.state) {
      this.#about();
      return;
    }
    const isFirst = this.state === null;
    this.state = state;
    this.redraw();
    if (isFirst) {
      this.#inspector.openAs(this.address.get(SHOWN));
    }
  }

  /** Another process at the same address: nothing of the one before holds. */
  #startAnew(state) {
    this.#forget();
    this.span.reset();
    this.state = null;
    this.#inspector.close();
    this.remember();
    this.notify(`${state.program.name} was started anew as process ${state.program.pid}: totals and charts begin again.`);
  }

  /** While nobody looks, the program has no work with this page; it remembers what happens meanwhile. */
  #rest() {
    if (this.#connection.how === "live") {
      this.#live.stop();
      this.#connection.is("resting");
    }
  }

  #connected(how) {
    const wasAway = this.#connection.how !== "live" && this.#latest !== null;
    this.#connection.is(how);
    if (how === "live" && wasAway) {
      this.remember(); // What the program has seen meanwhile.
    }
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
    this.#pressSpan = choice(byId("span"), Span.CHOICES, this.span.seconds, (seconds) => this.span.last(Number(seconds)));
    const back = h("button", { type: "button", id: "unzoom", hidden: true, onclick: () => this.span.reset() }, "Zoomed ✕");
    byId("span").append(back);
    this.api.onTokenNeeded(tokenDialog(this.api, () => {
      this.#showToken();
      if (this.#connection.how === "locked") {
        this.#follow();
      }
    }));
    this.#showToken();
    byId("pause").addEventListener("click", () => this.#pause());
    byId("snapshot").addEventListener("click", () => this.#snapshot());
    byId("theme").addEventListener("click", () => this.#theme());
    watchTheme(() => this.#recolour());
    let resting = 0;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(resting);
      if (document.hidden) {
        resting = setTimeout(() => this.#rest(), HIDDEN_MS);
      } else if (this.#connection.how === "resting") {
        this.#live.start();
      }
    });
    const go = (id) => () => {
      byId(id).scrollIntoView();
      byId(id).focus({ preventScroll: true });
    };
    const sections = document.querySelector("nav");
    sections.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (link) {
        event.preventDefault(); // What is behind the # is the view.
        go(link.hash.slice(1))();
      }
    });
    [[sections, "a"], [document.querySelector(".tools"), "button"]]
      .forEach(([group, controls]) => this.#views.push(roving(group, controls)));
    keys([
      ["p", "pause, and go on", () => this.#pause()],
      ["1", "the last minute", () => this.span.last(60)],
      ["5", "the last 5 minutes", () => this.span.last(300)],
      ["h", "the last hour", () => this.span.last(3_600)],
      ["y", "the last day", () => this.span.last(86_400)],
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
    this.#showSpan();
  }

  #showSpan() {
    byId("unzoom").hidden = !this.span.isZoomed;
    byId("unzoom").setAttribute("aria-pressed", String(this.span.isZoomed));
    this.#pressSpan(this.span.isZoomed ? null : this.span.seconds);
  }

  #spanChanged() {
    this.#showSpan();
    if (this.span.seconds > this.#rememberedS) {
      this.remember();
    }
    this.redraw();
  }

  #pause() {
    this.#isPaused = !this.#isPaused;
    byId("pause").setAttribute("aria-pressed", String(this.#isPaused));
    text(byId("pause").querySelector("span"), this.#isPaused ? "Go on" : "Pause");
    if (!this.#isPaused) {
      this.state = this.#latest;
    }
    this.#connection.pause(this.#isPaused);
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

  /** A program that was shown here and has ended is followed by the one of its name, if that was started again. */
  #succeed(programs) {
    const name = this.#latest?.program?.name;
    if (this.#program === null || this.#connection.how === "live" || programs.some((one) => programKey(one) === this.#program)) {
      return;
    }
    const same = programs.filter((one) => one.name === name && one.program && !one.url);
    if (same.length === 1) {
      this.#choose(same[0]);
      this.notify(`${name} was started anew as process ${same[0].pid}: totals and charts begin again.`);
    }
  }

  #choose(program) {
    if (program.url && !program.self) {
      location.assign(program.url);
    } else if (!program.self) {
      this.#program = programKey(program);
      this.#inspector.close();
      history.replaceState(null, "", `?program=${encodeURIComponent(this.#program)}${location.hash}`);
      this.#follow();
    }
  }
}
