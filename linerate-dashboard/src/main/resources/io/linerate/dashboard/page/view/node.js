import { sum } from "../model/totals.js";
import { count, cut, packetRate, percent, time } from "../model/format.js";
import { attribute, svg, text } from "./dom.js";
import { NODE } from "./plan.js";

/** From which scale on a box shows all that it has; below that less, in letters that can be read. */
const WHOLE_FROM = 0.8;
const TWO_LINES_FROM = 0.53;
const SMALL_PX = 11;
const LETTER = 0.6;
const BEHIND = [8, 4];
const STORE = { x: 14, y: 58, width: NODE.width - 28, height: 4 };

/** A box of the drawing: an element, port or worker, or several that are folded into one. */
export function makeNode(node, choose, press) {
  const shape = svg("g", {
    class: `node ${node.kind}${node.members ? " folded" : ""}`,
    role: "button",
    "data-node": node.id,
    onclick: () => choose(shape.node),
    onkeydown: press,
  },
  svg("title"),
  ...(node.members ? BEHIND.map((by) => svg("rect", { class: "box behind", x: by, y: by, width: NODE.width, height: NODE.height, rx: 10 })) : []),
  svg("rect", { class: "box", width: NODE.width, height: NODE.height, rx: 10 }),
  svg("text", { class: "name" }),
  svg("text", { class: "type", x: 14, y: 36 }),
  svg("text", { class: "rate" }),
  svg("g", { class: "badge" }, svg("rect", { rx: 7, height: 15 }), svg("text", { y: 11, "text-anchor": "middle" })),
  svg("g", { class: "store" },
    svg("rect", { class: "room", ...STORE, rx: 2 }), svg("rect", { class: "held", ...STORE, rx: 2 }),
    svg("rect", { class: "peak", y: STORE.y - 2, width: 2, height: STORE.height + 4 })),
  svg("g", { class: "pill" }, svg("rect", { rx: 9, height: 19 }), svg("text", { y: 13.5, "text-anchor": "middle" })));
  return shape;
}

/** Writes what is known now. */
export function updateNode(shape, node, { page, plan, scale, busiest, shorten }) {
  shape.node = node;
  const { x, y } = plan.corner(node.id);
  attribute(shape, "transform", `translate(${x} ${y})`);
  const rate = page.nodeRate(node);
  const heat = page.heat(node, rate, busiest);
  shape.style.setProperty("--heat", heat.toFixed(3));
  const dropRate = page.rate(node.drops);
  const lossRate = page.rate(node.losses);
  const { nsAPacket } = page.takes(node.name);
  const cost = nsAPacket === null ? "" : time(nsAPacket);
  letters(shape, node, { rate, cost }, scale, shorten);
  badge(shape.querySelector(".badge"), node.workers, scale);
  store(shape.querySelector(".store"), node.store);
  pill(shape.querySelector(".pill"), node, sum(dropRate, lossRate), plan, scale);
  attribute(shape, "aria-label", said(node, rate, dropRate, lossRate));
  attribute(shape, "aria-current", page.isSelected(node.kind, node.name) ? "true" : null);
  text(shape.querySelector("title"), `${said(node, rate, dropRate, lossRate)}, ${cost ? `${cost} a packet, ` : ""}load ${percent(heat)}`);
}

const leftAt = (scale) => (scale >= WHOLE_FROM ? 14 : 8 / scale);

/** Letters of a name for which a box has room. */
export function roomFor(scale) {
  const isWhole = scale >= WHOLE_FROM;
  return Math.floor((NODE.width - 2 * leftAt(scale) + (isWhole ? 8 : 0)) / (isWhole ? 7.6 : (LETTER * SMALL_PX) / scale));
}

/** What the box says: all of it, or name and rate, or the name alone, in letters of a size that can be read. */
function letters(shape, node, { rate, cost }, scale, shorten) {
  const isWhole = scale >= WHOLE_FROM;
  const hasRate = scale >= TWO_LINES_FROM;
  const px = SMALL_PX / scale;
  const left = leftAt(scale);
  const times = node.members ? ` ×${node.members.length}` : "";
  shape.classList.toggle("small", !isWhole);
  const lines = [
    [".name", shorten(node.name, roomFor(scale) - times.length) + times, isWhole ? 21 : hasRate ? NODE.height / 2 - 0.25 * px : NODE.height / 2 + 0.35 * px],
    [".type", isWhole ? typeLine(node) : "", 36],
    [".rate", hasRate ? [packetRate(rate), isWhole && cost].filter(Boolean).join(" · ") : "", isWhole ? 53 : NODE.height / 2 + 1.05 * px],
  ];
  for (const [name, words, y] of lines) {
    const line = shape.querySelector(name);
    text(line, words);
    attribute(line, "x", left);
    attribute(line, "y", y);
    line.style.fontSize = isWhole ? "" : `${px}px`;
  }
}

/** A queue says how full it is. */
function typeLine({ type, store }) {
  return cut(store ? `${type} ${count(store.held)}, peak ${count(store.peak)}` : type, 23);
}

/** The workers of an element that is not on all of them. */
function badge(shape, workers, scale) {
  const label = !workers || scale < TWO_LINES_FROM ? ""
    : workers.length <= 3 ? workers.map((worker) => `w${worker}`).join(" ") : `${workers.length} workers`;
  shape.classList.toggle("none", label === "");
  const width = 10 + 6.4 * label.length;
  attribute(shape.firstChild, "width", width);
  attribute(shape.lastChild, "x", width / 2);
  attribute(shape, "transform", `translate(${NODE.width - width - 8} -7)`);
  text(shape.lastChild, label);
}

function store(shape, queue) {
  shape.classList.toggle("none", !queue);
  if (queue) {
    const part = (packets) => Math.min(1, (packets ?? 0) / queue.capacity);
    attribute(shape.querySelector(".held"), "width", STORE.width * part(queue.held));
    attribute(shape.querySelector(".peak"), "x", STORE.x + (STORE.width - 2) * part(queue.peak));
  }
}

/** What is dropped here, or lost at the port: now, or else until now. */
function pill(shape, { dropped, lost }, rate, plan, scale) {
  shape.classList.toggle("none", dropped + lost === 0);
  shape.classList.toggle("old", !(rate > 0));
  const what = dropped === 0 ? " lost" : "";
  const label = scale < TWO_LINES_FROM ? "▼" : `▼ ${rate > 0 ? packetRate(rate) : count(dropped + lost)}${what}`;
  const width = 16 + 7.2 * label.length;
  const size = scale >= WHOLE_FROM ? 1 : (scale >= TWO_LINES_FROM ? 0.85 : 0.65) / scale;
  attribute(shape.firstChild, "width", width);
  attribute(shape.lastChild, "x", width / 2);
  text(shape.lastChild, label);
  const { x, y } = plan.pill(size * width, size * 19);
  attribute(shape, "transform", `translate(${x} ${y}) scale(${size})`);
}

function said(node, rate, dropRate, lossRate) {
  const { name, type, members, workers, dropped, lost, store } = node;
  return [
    `${name}${members ? ` and others, ${members.length} equal lanes` : ""}, ${type}: ${packetRate(rate)}`,
    dropped > 0 && `dropping ${packetRate(dropRate)}, ${count(dropped)} in all`,
    lost > 0 && `losing ${packetRate(lossRate)} at the port, ${count(lost)} in all`,
    store && `${count(store.held)} waiting of ${count(store.capacity)}, ${count(store.peak)} at most until now`,
    workers && `on worker ${workers.join(", ")}`,
    members && "opens when it is pressed",
  ].filter(Boolean).join(", ");
}
