import { drawable } from "../model/drawable.js";
import { fold } from "../model/lanes.js";
import { layers } from "../model/layers.js";
import { bestCut, cut, packetRate, tokenRate } from "../model/format.js";
import { attribute, h, keyed, svg, text } from "./dom.js";
import { graphTools } from "./graph-tools.js";
import { makeNode, roomFor, updateNode } from "./node.js";
import { curve, Plan } from "./plan.js";
import { roving } from "./roving.js";
import { Viewport } from "./viewport.js";

const LONG_FROM = 5;
const NARROW_PX = 620;
const TITLE_PX = 90;
/** Side by side on a narrow screen; more of them are drawn from left to right, to be scrolled. */
const FEW = 2;
const MOST_LINE_PX = 5;
const LEAST_HEIGHT_PX = 110;
/** The part of the window that the drawing may be high. */
const MOST_HEIGHT = 0.66;
/** At smaller scales what is written on lines and in boxes would be too small: less is written. */
const LABELS_FROM = 0.8;

/** The graph as it runs: rates on its edges, colour by load, drops in red where they happen. */
export function graph(page) {
  const host = document.getElementById("graph-drawing");
  const none = h("p", { class: "quiet" }, "Nothing to draw yet.");
  const [edgeLayer, labelLayer, nodeLayer] = [svg("g"), svg("g", { class: "labels" }), svg("g")];
  const world = svg("g", {}, edgeLayer, labelLayer, nodeLayer);
  const root = svg("svg", { role: "group", "aria-label": "Elements and edges; arrow keys go from one to the next, + - 0 zoom" },
    svg("defs", {},
      svg("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 1, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" },
        svg("path", { d: "M0 .5L10 5L0 9.5z", class: "arrow" }))),
    world);
  host.append(root, none);
  document.getElementById("graph-legend").append(
    h("span", {}, "load", h("i", { class: "ramp" })), h("span", {}, h("i", { class: "swatch drop" }), "drops, losses"));
  const keepStop = roving(root, "[data-node], [data-edge]");
  const view = new Viewport(root, world, () => draw());
  const showTools = graphTools(page, view);

  let signature = "";
  let plan = null;
  let drawn = null;
  new ResizeObserver(() => {
    if (page.state) {
      signature = "";
      update();
    }
  }).observe(host);
  root.addEventListener("focusin", (event) => {
    const node = event.target.dataset.node;
    if (node !== undefined && plan) {
      view.reveal(plan.box(node));
    }
  });

  const arrange = () => {
    const laid = layers(drawn.nodes.map(({ id }) => id), drawn.edges);
    const isLong = page.isGraphWide || laid.depth >= LONG_FROM || document.body.classList.contains("inspecting");
    document.querySelector(".board").classList.toggle("long", isLong);
    const isFull = document.fullscreenElement !== null;
    const room = host.clientWidth;
    const tall = isLong ? 0 : document.querySelector(".side").offsetHeight - TITLE_PX;
    plan = new Plan(laid, drawn.edges, {
      room,
      roomAcross: isFull ? innerHeight - 2 * TITLE_PX : tall,
      isDown: room < NARROW_PX && laid.breadth <= FEW,
    });
    const most = isFull ? innerHeight - TITLE_PX : Math.max(tall, plan.isDown ? Infinity : MOST_HEIGHT * innerHeight);
    const scale = Viewport.fitting(plan, { width: room, height: most });
    root.style.height = `${isFull ? innerHeight - TITLE_PX : Math.max(LEAST_HEIGHT_PX, Math.ceil(plan.height * scale))}px`;
    view.resize(plan.width, plan.height);
  };

  const choose = (node) => {
    if (node.members) {
      page.openLanes(node.lanes);
    } else {
      page.select(node.kind, node.kind === "worker" ? node.worker : node.name);
    }
  };

  const makeEdge = (edge) => {
    const shape = svg("g", edge.isEdge
      ? { class: "edge", role: "button", "data-edge": edge.id, onclick: () => page.select("edge", edge.id), onkeydown: press }
      : { class: "edge fixed" },
    svg("title"),
    svg("path", { class: "reach" }),
    svg("path", { class: "line", "marker-end": "url(#arrow)" }));
    return shape;
  };

  const updateEdge = (shape, edge) => {
    const d = curve(plan.way(edge).points, plan.isDown);
    shape.querySelectorAll("path").forEach((path) => attribute(path, "d", d));
    const rate = page.rate(edge.rates);
    shape.querySelector(".line").style.strokeWidth = `${width(rate)}px`;
    shape.classList.toggle("idle", !(rate > 0));
    const said = `From ${edge.from} to ${edge.to}${edge.label ? `, output ${edge.label}` : ""}: ${edgeRate(edge, rate)}`;
    text(shape.querySelector("title"), said);
    if (edge.isEdge) {
      attribute(shape, "aria-label", said);
      attribute(shape, "aria-current", page.isSelected("edge", edge.id) ? "true" : null);
    }
  };

  const makeLabel = () => svg("text", {}, svg("tspan", { class: "output" }), svg("tspan", { class: "rate" }));

  const updateLabel = (written, edge) => {
    const { label } = plan.way(edge);
    const rate = page.rate(edge.rates);
    attribute(written, "data-label", edge.id);
    attribute(written, "text-anchor", plan.isDown ? "start" : "middle");
    written.classList.toggle("idle", !(rate > 0));
    // Above the line; with the output's name, one above it and one below.
    (edge.label ? [-6, 13] : [-8, -8]).forEach((above, i) => {
      attribute(written.children[i], "x", label.x + (plan.isDown ? 9 : 0));
      attribute(written.children[i], "y", label.y + (plan.isDown ? above + (edge.label ? 1 : 12) : above));
    });
    text(written.firstChild, cut(edge.label, 12));
    text(written.lastChild, edge.rates.length > 0 ? edgeRate(edge, rate) : "");
  };

  const draw = () => {
    if (plan === null) {
      return;
    }
    const busiest = Math.max(0, ...drawn.nodes.map((node) => page.nodeRate(node) ?? 0));
    const shorten = bestCut(drawn.nodes.map(({ name }) => name), roomFor(view.scale));
    const labelled = view.scale >= LABELS_FROM ? drawn.edges : [];
    keyed(edgeLayer, drawn.edges, ({ id }) => id, makeEdge, updateEdge);
    keyed(labelLayer, labelled, ({ id }) => id, makeLabel, updateLabel);
    keyed(nodeLayer, drawn.nodes, ({ id }) => id, (node) => makeNode(node, choose, press),
      (shape, node) => updateNode(shape, node, { page, plan, scale: view.scale, busiest, shorten }));
    keepStop();
    showTools(drawn);
  };

  const update = () => {
    drawn = fold(drawable(page.state), page.openedLanes);
    none.hidden = drawn.nodes.length > 0;
    root.style.display = drawn.nodes.length > 0 ? "" : "none";
    if (drawn.nodes.length === 0 || host.clientWidth === 0) {
      return;
    }
    const now = JSON.stringify([
      drawn.nodes.map(({ id }) => id), drawn.edges.map(({ id }) => id), page.isGraphWide, document.fullscreenElement !== null]);
    if (now !== signature) {
      signature = now;
      arrange();
    }
    draw();
  };
  return update;
}

/** Enter and space open. */
function press(event) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    event.currentTarget.dispatchEvent(new MouseEvent("click"));
  }
}

/** Thicker by the power of ten of the rate. */
const width = (rate) => (rate > 0 ? Math.min(MOST_LINE_PX, 1.2 + 0.5 * Math.log10(1 + rate)) : 1.2);

const edgeRate = (edge, rate) => (edge.isOfTokens ? tokenRate(rate) : packetRate(rate));
