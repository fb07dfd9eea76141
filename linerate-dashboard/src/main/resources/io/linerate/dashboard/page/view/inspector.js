import { edgeId } from "../model/totals.js";
import { text } from "./dom.js";
import { edgePanel } from "./edge-panel.js";
import { elementPanel } from "./element-panel.js";

/** The panel at the side: what was chosen in the graph. */
export class Inspector {
  #page;
  #panel = document.getElementById("inspector");
  #body = document.getElementById("inspector-body");
  #chosen = null;
  #content = null;
  #opener = null;

  constructor(page) {
    this.#page = page;
    document.getElementById("inspector-close").addEventListener("click", () => this.close());
  }

  get isOpen() {
    return this.#chosen !== null;
  }

  /** The start of the names of what its chart shows; null. */
  get series() {
    return this.#chosen && `${this.#chosen.kind}.${this.#chosen.name}`;
  }

  shows(kind, name) {
    return this.#chosen?.kind === kind && this.#chosen.name === name;
  }

  /** What the page's address says: "element NAME" or "edge ID". */
  openAs(what) {
    const [kind, ...name] = (what ?? "").split(" ");
    if (kind === "element" || kind === "edge") {
      this.open(kind, name.join(" "));
    }
  }

  /** An element's or an edge's panel; ports and workers have cards of their own, to go to. */
  open(kind, name) {
    if (kind === "port" || kind === "worker") {
      const card = document.querySelector(`[data-${kind}="${CSS.escape(name)}"]`);
      card?.scrollIntoView({ block: "center" });
      return;
    }
    this.#content?.close();
    this.#opener = document.activeElement;
    this.#chosen = { kind, name };
    const thing = this.#find();
    if (!thing) {
      this.close();
      return;
    }
    text(document.getElementById("inspector-title"), kind === "edge" ? `${thing.from} → ${thing.to}` : name);
    text(document.getElementById("inspector-kind"), kind === "edge"
      ? `edge from output ${thing.output} to input ${thing.input}`
      : [thing.type, parameters(thing)].filter(Boolean).join(" · "));
    this.#body.replaceChildren();
    this.#content = (kind === "edge" ? edgePanel : elementPanel)(this.#page, this.#body, thing);
    this.#panel.hidden = false;
    this.#panel.scrollTop = 0;
    document.body.classList.add("inspecting");
    this.#page.showed(`${kind} ${name}`);
    this.#page.remember(this.series);
    this.update();
    document.getElementById("inspector-title").focus({ preventScroll: true });
    this.#page.redraw();
  }

  close() {
    if (!this.isOpen) {
      return;
    }
    this.#content?.close();
    this.#content = null;
    this.#chosen = null;
    this.#panel.hidden = true;
    document.body.classList.remove("inspecting");
    this.#page.showed(null);
    this.#opener?.focus?.({ preventScroll: true });
    this.#page.redraw();
  }

  update() {
    if (!this.isOpen) {
      return;
    }
    const thing = this.#find();
    if (thing) {
      this.#content?.update(thing);
    } else {
      this.close();
    }
  }

  #find() {
    const { kind, name } = this.#chosen;
    const { elements = [], edges = [] } = this.#page.state;
    return kind === "edge"
      ? edges.find((edge) => edgeId(edge) === name)
      : elements.find((element) => element.name === name);
  }
}

/** As records write themselves, without the name that stands before it anyway. */
function parameters({ type, parameters: text }) {
  return text?.startsWith(`${type}[`) ? text.slice(type.length + 1, -1) : text;
}
