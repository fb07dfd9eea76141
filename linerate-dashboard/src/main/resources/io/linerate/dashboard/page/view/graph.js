import { drawable } from "../model/drawable.js";
import { layers } from "../model/layers.js";
import { count, packetRate, percent } from "../model/format.js";
import { attribute, h, keyed, svg, text } from "./dom.js";
import { curve, NODE, Plan } from "./plan.js";

const LONG_FROM = 5;
const NARROW_PX = 620;
const TITLE_PX = 90;
/** Side by side on a narrow screen; more of them are drawn from left to right, to be scrolled. */
const FEW = 2;
const NAME_LETTERS = 19;
const MOST_LINE_PX = 5;

/** The graph as it runs: rates on its edges, colour by load, drops in red where they happen. */
export function graph(page) {
  const host = document.getElementById("graph-drawing");
  const none = h("p", { class: "quiet" }, "Nothing to draw yet.");
  const edgeLayer = svg("g");
  const nodeLayer = svg("g");
  const root = svg("svg", { role: "group", "aria-label": "Elements and edges; arrow keys go from one to the next" },
    svg("defs", {},
      svg("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 1, refY: 5, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" },
        svg("path", { d: "M0 .5L10 5L0 9.5z", class: "arrow" }))),
    edgeLayer, nodeLayer);
  host.append(root, none);
  document.getElementById("graph-legend").append(
    h("span", {}, "load", h("i", { class: "ramp" })), h("span", {}, h("i", { class: "swatch drop" }), "drops"));

  let signature = "";
  let plan = null;
  new ResizeObserver(() => {
    if (page.state) {
      signature = "";
      update();
    }
  }).observe(host);

  const arrange = (drawn) => {
    const laid = layers(drawn.nodes.map(({ id }) => id), drawn.edges);
    const isLong = laid.depth >= LONG_FROM || document.body.classList.contains("inspecting");
    document.querySelector(".board").classList.toggle("long", isLong);
    const tall = isLong ? 0 : document.querySelector(".side").offsetHeight - TITLE_PX;
    plan = new Plan(laid, drawn.edges, host.clientWidth, tall, host.clientWidth < NARROW_PX && laid.breadth <= FEW);
    attribute(root, "viewBox", `0 0 ${plan.width} ${plan.height}`);
    root.style.width = `${plan.width * plan.scale}px`;
    root.style.height = `${plan.height * plan.scale}px`;
  };

  const makeNode = (node) => {
    const shape = svg("g", {
      class: `node ${node.kind}`,
      role: "button",
      tabindex: 0,
      "data-node": node.id,
      onclick: () => page.select(node.kind, node.kind === "worker" ? node.worker : node.name),
      onkeydown: (event) => pressed(event, node, shape),
    },
    svg("title"),
    svg("rect", { class: "box", width: NODE.width, height: NODE.height, rx: 10 }),
    svg("text", { class: "name", x: 14, y: 21 }, short(node.name)),
    svg("text", { class: "type", x: 14, y: 36 }, short(node.type)),
    svg("text", { class: "rate", x: 14, y: 53 }),
    svg("g", { class: "pill" }, svg("rect", { rx: 9, height: 19 }), svg("text", { y: 13.5, "text-anchor": "middle" })));
    return shape;
  };

  const updateNode = (shape, node) => {
    const { x, y } = plan.corner(node.id);
    attribute(shape, "transform", `translate(${x} ${y})`);
    const rate = nodeRate(node);
    const heat = page.heat(node, rate, busiest);
    shape.style.setProperty("--heat", heat.toFixed(3));
    text(shape.querySelector(".rate"), packetRate(rate));
    const dropRate = node.drops ? page.timeline.rate(node.drops) : null;
    const dropped = page.dropped(node);
    pill(shape.querySelector(".pill"), dropRate, dropped);
    const said = `${node.name}, ${node.type}: ${packetRate(rate)}`;
    const drops = dropped > 0 ? `, dropping ${packetRate(dropRate)}, ${count(dropped)} in all` : "";
    attribute(shape, "aria-label", said + drops);
    attribute(shape, "aria-current", page.isSelected(node.kind, node.name) ? "true" : null);
    text(shape.querySelector("title"), `${said}${drops}, load ${percent(heat)}`);
  };

  const pill = (shape, rate, dropped) => {
    shape.classList.toggle("none", dropped === 0);
    shape.classList.toggle("old", !(rate > 0));
    const label = rate > 0 ? `▼ ${packetRate(rate)}` : `▼ ${count(dropped)}`;
    text(shape.lastChild, label);
    const width = 16 + 7.2 * label.length;
    attribute(shape.firstChild, "width", width);
    attribute(shape.lastChild, "x", width / 2);
    const { x, y } = plan.pill(width);
    attribute(shape, "transform", `translate(${x} ${y})`);
  };

  const makeEdge = (edge) => {
    const shape = svg("g", edge.isEdge
      ? {
          class: "edge", role: "button", tabindex: 0, "data-edge": edge.id,
          onclick: () => page.select("edge", edge.id),
          onkeydown: (event) => pressed(event, edge, shape),
        }
      : { class: "edge fixed" },
    svg("title"),
    svg("path", { class: "reach" }),
    svg("path", { class: "line", "marker-end": "url(#arrow)" }),
    svg("text", {}, svg("tspan", { class: "output" }), svg("tspan", { class: "rate" })));
    return shape;
  };

  const updateEdge = (shape, edge) => {
    const { points, label } = plan.way(edge);
    const d = curve(points, plan.isDown);
    shape.querySelectorAll("path").forEach((path) => attribute(path, "d", d));
    const rate = edge.rate ? page.timeline.rate(edge.rate) : null;
    const line = shape.querySelector(".line");
    line.style.strokeWidth = `${width(rate)}px`;
    shape.classList.toggle("idle", !(rate > 0));
    const written = shape.querySelector("text");
    attribute(written, "text-anchor", plan.isDown ? "start" : "middle");
    // Above the line; with the output's name, one above it and one below.
    (edge.label ? [-6, 13] : [-8, -8]).forEach((above, i) => {
      attribute(written.children[i], "x", label.x + (plan.isDown ? 9 : 0));
      attribute(written.children[i], "y", label.y + (plan.isDown ? above + (edge.label ? 1 : 12) : above));
    });
    text(written.firstChild, edge.label);
    text(written.lastChild, edge.rate ? packetRate(rate) : "");
    if (edge.isEdge) {
      const said = `From ${edge.from} to ${edge.to}${edge.label ? `, output ${edge.label}` : ""}: ${packetRate(rate)}`;
      attribute(shape, "aria-label", said);
      attribute(shape, "aria-current", page.isSelected("edge", edge.id) ? "true" : null);
      text(shape.querySelector("title"), said);
    }
  };

  /** Enter and space open; arrows go to what is nearest in their direction. */
  const pressed = (event, thing, shape) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      shape.dispatchEvent(new MouseEvent("click"));
    } else if (event.key.startsWith("Arrow")) {
      const next = nearest(shape, event.key, root);
      if (next) {
        event.preventDefault();
        event.stopPropagation();
        next.focus();
      }
    }
  };

  const nodeRate = (node) => {
    const came = page.timeline.rate(node.rate);
    return came || (node.made ? page.timeline.rate(node.made) : came) || came;
  };

  let busiest = 0;
  const update = () => {
    const drawn = drawable(page.state);
    none.hidden = drawn.nodes.length > 0;
    root.style.display = drawn.nodes.length > 0 ? "" : "none";
    if (drawn.nodes.length === 0) {
      return;
    }
    const now = JSON.stringify([drawn.nodes.map(({ id }) => id), drawn.edges.map(({ id }) => id)]);
    if (now !== signature) {
      arrange(drawn);
      signature = now;
    }
    busiest = Math.max(0, ...drawn.nodes.map((node) => nodeRate(node) ?? 0));
    keyed(edgeLayer, drawn.edges, ({ id }) => id, makeEdge, updateEdge);
    keyed(nodeLayer, drawn.nodes, ({ id }) => id, makeNode, updateNode);
  };
  return update;
}

const short = (name) => (name.length > NAME_LETTERS ? `${name.slice(0, NAME_LETTERS - 1)}…` : name);

/** Thicker by the power of ten of the rate. */
const width = (rate) => (rate > 0 ? Math.min(MOST_LINE_PX, 1.2 + 0.5 * Math.log10(1 + rate)) : 1.2);

function nearest(shape, key, root) {
  const middle = (node) => {
    const box = (node.querySelector(".box, text") ?? node).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(shape);
  const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  let best = null;
  let least = Infinity;
  for (const other of root.querySelectorAll("[tabindex]")) {
    const [u, v] = middle(other);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (other !== shape && ahead > 4 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = other;
    }
  }
  return best;
}
